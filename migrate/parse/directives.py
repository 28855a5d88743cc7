"""The preprocessor lines of a file: includes, macro definitions, and what line a place is on."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_DIRECTIVE = re.compile(rb"^[^\S\n]*#[^\S\n]*([a-z_]+)((?:[^\n\\]|\\[\s\S])*)", re.MULTILINE)
_INCLUDE = re.compile(rb'\s*(?:<([^>\n]+)>|"([^"\n]+)")')
_DEFINED = re.compile(rb"\s*([A-Za-z_]\w*)(\(?)")


@dataclass(frozen=True, slots=True)
class Directive:
    """One preprocessor line with its continuations; ``text`` starts behind the word."""

    start: int
    text: int
    end: int
    word: str


@dataclass(frozen=True, slots=True)
class Directives:
    """All preprocessor lines of a file in order of place."""

    lines: list[Directive]
    starts: list[int]

    def at(self, offset: int) -> Directive | None:
        """The preprocessor line that an offset is on, if it is on one."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0 or offset >= self.lines[index].end:
            return None
        return self.lines[index]

    def of(self, word: str) -> list[Directive]:
        """The lines with a given word, as ``include``."""
        return [line for line in self.lines if line.word == word]


def read_directives(masked: bytes) -> Directives:
    """Find the preprocessor lines of a masked file."""
    lines = [
        Directive(match.start(), match.start(2), match.end(), match[1].decode("ascii"))
        for match in _DIRECTIVE.finditer(masked)
    ]
    return Directives(lines, [line.start for line in lines])


def included_name(data: bytes, line: Directive) -> tuple[str, bool] | None:
    """The header that an ``#include`` names, and whether it is in quotes; None for a macro."""
    match = _INCLUDE.match(data, line.text, line.end)
    if match is None:
        return None
    quoted = match[2] is not None
    return (match[2] if quoted else match[1]).decode("utf-8", "replace").strip(), quoted


def defined_macro(masked: bytes, line: Directive) -> tuple[str, bool, int] | None:
    """A ``#define``'s name, whether it takes arguments, and the offset of its body."""
    match = _DEFINED.match(masked, line.text, line.end)
    if match is None:
        return None
    return match[1].decode("ascii"), match[2] == b"(", match.end(1)
