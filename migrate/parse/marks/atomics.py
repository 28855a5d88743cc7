"""Atomic functions that a file defines itself, and atomics on types that not every GPU takes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.scopes import Scope

_NAMES = ("atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicCAS", "atomicExch")
_HEAD = re.compile(rb"\b(" + "|".join(_NAMES).encode() + rb")\s*(\()")
_CALLED = re.compile(rb"(?:" + "|".join(_NAMES).encode() + rb")(?:_system|_block)?")
_NAMESPACE = re.compile(rb"\bnamespace\s+[A-Za-z_][\w:]*\s*(\{)")
_TYPE = (
    rb"(__half2|half2|__half|half|__nv_bfloat162|nv_bfloat162|__nv_bfloat16|nv_bfloat16"
    rb"|float2|float4|float|double)"
)
_VARIABLE = re.compile(
    rb"\b" + _TYPE + rb"\b(?:[\s*&]|\bconst\b|\b__restrict__\b|\b__restrict\b){1,20}([A-Za-z_]\w*)"
)
_CAST = re.compile(rb"[(<]\s{0,9}" + _TYPE + rb"\s{0,9}\*\s{0,9}[)>]")
_NAMED = re.compile(rb"[\s&(]{0,9}([A-Za-z_]\w*)\s{0,9}(?![\w.(]|->|::)")


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _definitions(text)
    yield from _calls(text)


def _definitions(text: MarkText) -> Iterator[FoundMark]:
    """Functions at global scope that have the name of an atomic of CUDA's."""
    own = [
        scope
        for scope in text.scopes.scopes
        if scope.name in _NAMES and scope.side in {Side.DEVICE, Side.BOTH}
    ]
    spaces = _Namespaces(text) if own else None
    for scope in own:
        head = _HEAD.search(text.masked, scope.start, scope.body)
        if head is None or b"template" in text.masked[scope.start : head.start()]:
            continue
        split = text.file.code.brackets.arguments(head.start(2))
        if split is None or not split[0]:
            continue
        start, end = split[0][0]
        inside = spaces is not None and spaces.hold(scope.start)
        values = (_pointed_to(text.masked[start:end]), "namespace" if inside else "")
        yield FoundMark(MarkKind.OWN_ATOMIC, head.start(1), head.end(1), scope.name, values)


class _Namespaces:
    """The named namespaces of a file; one whose end is far away reaches to the file's end."""

    def __init__(self, text: MarkText) -> None:
        self._starts: list[int] = []
        self._reach: list[int] = []
        """How far the namespaces up to one reach."""
        reach = 0
        for match in _NAMESPACE.finditer(text.masked):
            split = text.file.code.brackets.arguments(match.start(1))
            reach = max(reach, split[1] if split else len(text.masked))
            self._starts.append(match.start())
            self._reach.append(reach)

    def hold(self, offset: int) -> bool:
        """Whether one of them is around an offset."""
        index = bisect_left(self._starts, offset) - 1
        return index >= 0 and self._reach[index] > offset


def _pointed_to(parameter: bytes) -> str:
    """The type behind the first ``*`` of a parameter, without qualifiers; "" for no pointer."""
    before, star, _ = parameter.partition(b"*")
    words = [word for word in before.split() if word not in {b"const", b"volatile"}]
    return tidy(b" ".join(words)) if star else ""


def _calls(text: MarkText) -> Iterator[FoundMark]:
    """Calls whose first argument has a floating, half or vector type, as the function tells."""
    declared: dict[int, dict[bytes, str]] = {}
    for place, name, opening in text.calls(text.like(_CALLED, b"atomic")):
        number = text.scopes.at(place)
        split = text.file.code.brackets.arguments(opening)
        if number < 0 or split is None or not split[0]:
            continue
        start, end = split[0][0]
        cast = _CAST.search(text.masked, start, end)
        found = cast[1].decode("ascii") if cast else ""
        if not cast and (named := _NAMED.match(text.masked, start, end)) is not None:
            if number not in declared:
                declared[number] = _variables(text, text.scopes.scopes[number])
            found = declared[number].get(named[1], "")
        if found:
            told = name.decode("ascii").partition("_")[0]
            yield FoundMark(MarkKind.TYPED_ATOMIC, place, place + len(told), told, (found,))


def _variables(text: MarkText, scope: Scope) -> dict[bytes, str]:
    """The parameters and variables of a function with such a type; of two, the first."""
    found: dict[bytes, str] = {}
    for match in _VARIABLE.finditer(text.masked, scope.start, scope.end):
        found.setdefault(match[2], match[1].decode("ascii"))
    return found


FINDER = Finder(_find, signs=tuple(map(partial(bytes, encoding="ascii"), _NAMES)))
