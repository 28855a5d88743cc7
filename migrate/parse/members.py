"""Members of CUDA's structs: ``prop.warpSize`` where ``prop`` is declared as a cudaDeviceProp."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from migrate.model.facts import UseKind
from migrate.parse.uses import CodeText, FoundUse
from migrate.parse.vocabulary import Vocabulary

_DECLARATOR = re.compile(rb"[\s&*>]*(?:const\b)?[\s&*]*([A-Za-z_]\w*)")
_MORE = re.compile(rb"\s*(?:\[[^\]\n]{0,200}\]\s*)*(?:(,)|[;)=({:])")
_ACCESS = re.compile(
    rb"(?<!\w)([A-Za-z_]\w*+)"
    rb"(?=\s*+(?:\[[^\]\n]{0,200}+\]\s*+)*+(?:\.|->)\s*+([A-Za-z_]\w*+)(?!\s*\())"
)
_MOST = 16
_KEYWORDS = frozenset({b"const", b"return", b"sizeof", b"struct", b"operator"})


def find_members(text: CodeText, vocabulary: Vocabulary, words: set[bytes]) -> Iterator[FoundUse]:
    """Uses of known members on variables, references, pointers and arrays that the file declares.

    Each use tells where its variable is declared: the same name may be another thing elsewhere.
    """
    types = words & vocabulary.member_types
    if not types:
        return
    declared: dict[bytes, list[tuple[int, str]]] = defaultdict(list)
    for type_name in types:
        for at, variable in _variables(text.masked, type_name):
            declared[variable].append((at, type_name.decode()))
    for places in declared.values():
        places.sort()
    for match in _ACCESS.finditer(text.masked) if declared else ():
        places = declared.get(match[1], [])
        # The nearest declaration before the access, else (a class's own member) the first behind.
        index = max(0, bisect_right(places, (match.start(), "~")) - 1)
        for at, struct in places[index : index + 1]:
            symbol = f"{struct}::{match[2].decode()}"
            if vocabulary.knows(symbol):
                yield FoundUse(match.start(2), match.end(2), symbol, UseKind.MEMBER, variable=at)


def _variables(masked: bytes, type_name: bytes) -> Iterator[tuple[int, bytes]]:
    for match in _type_pattern(type_name).finditer(masked):
        at = match.end()
        for _ in range(_MOST):
            declarator = _DECLARATOR.match(masked, at)
            if declarator is None or declarator[1] in _KEYWORDS:
                break
            more = _MORE.match(masked, declarator.end())
            if more is None:
                break
            yield declarator.start(1), declarator[1]
            if more[1] is None:
                break
            at = more.end()


@lru_cache(maxsize=64)
def _type_pattern(type_name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\b" + type_name + rb"\b(?!\s*\()")
