"""Branches that no HIP build compiles because it lacks a macro of CUDA's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrate.model.mark import MarkKind
from migrate.parse.conditions import ProjectMacros, World, evaluate
from migrate.parse.directives import joined_text
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_OPENING = frozenset({"if", "ifdef", "ifndef"})
_WORDS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")
_MACRO = re.compile(r"\b(CUDART_VERSION|CUDA_VERSION|__CUDACC_VER_MAJOR__|__CUDA_ARCH__)\b")
_NO_MACROS = ProjectMacros()
_DEEPEST = 200


@dataclass(frozen=True, slots=True)
class _Open:
    """A branch that is open: its mark where no HIP build compiles it.

    ``taken`` is the macro of CUDA's by which a HIP build takes it, and so leaves out the others.
    """

    mark: FoundMark | None
    taken: str


def _find(text: MarkText) -> Iterator[FoundMark]:
    stack: list[_Open] = []
    for line in text.file.code.directives.of(*_WORDS):
        taken = ""
        if line.word not in _OPENING and stack:
            before = stack.pop()
            taken = before.taken
            if before.mark is not None:
                yield replace(before.mark, end=line.start)
        if line.word != "endif" and len(stack) < _DEEPEST:
            condition = joined_text(text.masked, line)
            stack.append(_branch(text, line.word, condition, line.start, taken))


def _branch(text: MarkText, word: str, condition: str, start: int, taken: str) -> _Open:
    found = _MACRO.search(condition)
    asked = condition
    if word.endswith("def"):
        negated = "!" if word.endswith("ndef") else ""
        asked = f"{negated}defined({condition.partition(' ')[0]})"
    value = None
    if found is not None and word != "else":
        value = evaluate(asked, World.HIP, _NO_MACROS, cuda_options_off=False)
    macro = taken or (found[1] if found and value is False else "")
    mark = None
    if macro:
        at = text.masked.find(b"#", start)
        mark = FoundMark(MarkKind.CUDA_BRANCH, at, at, condition or word, (macro,))
    return _Open(mark, taken or (found[1] if found and value is True else ""))


FINDER = Finder(_find, signs=(b"CUDART_VERSION", b"CUDA_VERSION", b"__CUDA"))
