"""Qualifiers and attributes of CUDA that are no names of a table: launch bounds and their kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.directives import defined_macro
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_WITH_ARGUMENTS = (b"__launch_bounds__", b"__cluster_dims__", b"__block_size__", b"__maxnreg__")
_PLAIN = (b"__managed__", b"__grid_constant__")
_QUALIFIER = re.compile(
    rb"(?:(" + rb"|".join(_WITH_ARGUMENTS) + rb")\s*(\()|(" + rb"|".join(_PLAIN) + rb")\b)"
)


def _find(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_QUALIFIER, *_WITH_ARGUMENTS, *_PLAIN):
        if _in_condition_or_name(text, match.start()):
            continue
        values: tuple[str, ...] = ()
        if match[2]:
            split = text.file.code.brackets.arguments(match.start(2))
            if split is None:
                continue
            values = tuple(tidy(text.masked[start:end]) for start, end in split[0])
        name = (match[1] or match[3]).decode("ascii")
        yield FoundMark(MarkKind.QUALIFIER, match.start(), match.start() + len(name), name, values)


def _in_condition_or_name(text: MarkText, offset: int) -> bool:
    """Whether a place is in an ``#ifdef``, or is the name that a ``#define`` defines."""
    line = text.file.code.directives.at(offset)
    if line is None:
        return False
    macro = defined_macro(text.masked, line) if line.word == "define" else None
    return macro is None or offset == macro.start


FINDER = Finder(_find, signs=(*_WITH_ARGUMENTS, *_PLAIN))
