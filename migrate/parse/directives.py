"""The preprocessor lines of a file: includes, macro definitions, and what line a place is on."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

# Without the start of the line, so that the search jumps from one number sign to the next.
_DIRECTIVE = re.compile(
    rb"#[^\S\n]*+([a-z_]+)([^\n\\]*+(?:\\(?:[^\S\n]*+\n|[\s\S]|\Z)[^\n\\]*+)*+)"
)
_INCLUDE = re.compile(rb'\s*+(?:<([^>\n]+)>|"([^"\n]+)")')
_DEFINED = re.compile(rb"\s*+([A-Za-z_]\w*+)(\(?)")
_JOINED_LINE = re.compile(rb"\\[^\S\n]*\n")
_CONDITION = frozenset({"if", "elif", "ifdef", "ifndef", "elifdef", "elifndef"})
_NO_CODE = frozenset(
    {"include", "include_next", "import", "pragma", "error", "warning", "line", "undef"}
    | {"else", "endif"}  # what stands behind these is passed over
)


@dataclass(frozen=True, slots=True)
class Directive:
    """One preprocessor line with its continuations; ``text`` starts behind the word."""

    start: int
    text: int
    end: int
    word: str

    @property
    def is_condition(self) -> bool:
        """Whether it is an ``#if`` of some form."""
        return self.word in _CONDITION

    @property
    def holds_code(self) -> bool:
        """Whether names on it are used: in a macro's body, in a condition."""
        return self.word not in _NO_CODE


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

    def floor(self, offset: int) -> int:
        """Where the directive that an offset is on starts, else where the last one ended."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return 0
        line = self.lines[index]
        return line.text if offset < line.end else line.end

    def of(self, *words: str) -> list[Directive]:
        """The lines with one of the words, as ``include``."""
        return [line for line in self.lines if line.word in words]


def read_directives(masked: bytes) -> Directives:
    """Find the preprocessor lines of a masked file."""
    lines = []
    for match in _DIRECTIVE.finditer(masked):
        start = masked.rfind(b"\n", 0, match.start()) + 1
        if not masked[start : match.start()].strip():
            word = match[1].decode("ascii")
            lines.append(Directive(start, match.start(2), match.end(), word))
    return Directives(lines, [line.start for line in lines])


def joined_text(masked: bytes, line: Directive) -> str:
    """What stands behind a directive's word, its continued lines put together."""
    text = _JOINED_LINE.sub(b" ", masked[line.text : line.end])
    return " ".join(text.decode("latin-1").split())


@dataclass(frozen=True, slots=True)
class IncludeText:
    """An ``#include`` by offset; ``quoted`` is the ``"..."`` form."""

    start: int
    name: str
    quoted: bool


def read_includes(data: bytes, directives: Directives) -> list[IncludeText]:
    """The headers that a file names; an include of a macro names none."""
    found = []
    for line in directives.of("include", "include_next", "import"):
        match = _INCLUDE.match(data, line.text, line.end)
        if match is not None:
            name = (match[1] or match[2]).decode("utf-8", "replace").strip()
            found.append(IncludeText(line.start, name, quoted=match[2] is not None))
    return found


@dataclass(frozen=True, slots=True)
class DefinedMacro:
    """A ``#define`` by offsets; ``body`` starts behind the name (at the parameters, if any)."""

    start: int
    name: str
    function_like: bool
    body: int


def defined_macro(masked: bytes, line: Directive) -> DefinedMacro | None:
    """What a ``#define`` defines; None where no name follows."""
    match = _DEFINED.match(masked, line.text, line.end)
    if match is None:
        return None
    return DefinedMacro(match.start(1), match[1].decode("ascii"), match[2] == b"(", match.end(1))
