"""Branches that no HIP build compiles because it lacks a macro of CUDA's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.conditions import ProjectMacros, World, evaluate
from migrate.parse.directives import joined_text
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_OPENING = frozenset({"if", "ifdef", "ifndef"})
_WORDS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")
_MACRO = re.compile(r"\b(CUDART_VERSION|CUDA_VERSION|__CUDACC_VER_MAJOR__|__CUDA_ARCH__)\b")
_NO_MACROS = ProjectMacros()
_DEEPEST = 200


def _find(text: MarkText) -> Iterator[FoundMark]:
    stack: list[FoundMark | None] = []
    for line in text.file.code.directives.of(*_WORDS):
        if line.word not in _OPENING and stack:
            started = stack.pop()
            if started is not None:
                yield FoundMark(
                    started.kind, started.start, line.start, started.symbol, started.values
                )
        if line.word != "endif" and len(stack) < _DEEPEST:
            stack.append(_branch(text, line.word, joined_text(text.masked, line), line.start))


def _branch(text: MarkText, word: str, condition: str, start: int) -> FoundMark | None:
    found = _MACRO.search(condition)
    if found is None or word in {"else", "ifndef", "elifndef"}:
        return None
    asked = f"defined({condition.partition(' ')[0]})" if word.endswith("def") else condition
    if evaluate(asked, World.HIP, _NO_MACROS, cuda_options_off=False) is not False:
        return None
    at = text.masked.find(b"#", start)
    return FoundMark(MarkKind.CUDA_BRANCH, at, at, condition, (found[1],))


FINDER = Finder(_find, signs=(b"CUDART_VERSION", b"CUDA_VERSION", b"__CUDA"))
