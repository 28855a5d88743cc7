"""Notebooks: the code of their cells at its places in the file, by what reads each cell.

A notebook is JSON, whose code lines are strings of their own, one a line of the file. With all else
blanked and the escapes undone in place, what is left is source at the lines and columns of the
notebook file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(r'("(?:[^"\\]++|\\.)*+")(\s*:)?|[{}\[\]]')
_ESCAPED = re.compile(r'((?:\\")+)|\\u[0-9a-fA-F]{4}|\\(.)')
_FOLDED = re.compile(r"(?<!\\)(?:\\\\)*\\n(?=.)")
_SOURCES = frozenset({"source", "input"})
_CUDA_CELL = re.compile(r"\s*%%(?:cu\b|cuda\b|nvcc\b|cuda_group|writefile\s+\S+\.cuh?\b)")
_SHELL_CELL = re.compile(r"\s*%%(?:bash|sh|shell|script)\b")
_PYTHON_CELL = re.compile(r"\s*%%(?:time|timeit|capture|prun|python3?)\b")
_OTHER_CELL = re.compile(r"\s*%%\w")
_MAGIC = re.compile(r"\s*(?:[!%]|\?)")
_CONTINUED = re.compile(r"\\\s*$")


@dataclass(frozen=True, slots=True)
class Span:
    """A line of a cell: where its string stands in the file, without the quotes."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadCells:
    """A notebook's cells, each kind as a text as long as the notebook, and their commands.

    ``commands`` are lines that a shell or a magic takes, with the line in the file; ``folded`` the
    cells whose lines are not lines of the file, with the line of the string that holds them;
    ``magics`` the lines that make a cell CUDA.
    """

    python: str
    cuda: tuple[Span, ...] = ()
    magics: tuple[int, ...] = ()
    commands: tuple[tuple[str, int], ...] = ()
    folded: tuple[tuple[str, int], ...] = ()
    text: str = ""


@dataclass(slots=True)
class _Frame:
    """An object or array of the JSON that is open."""

    is_object: bool
    key: str = ""
    kind: str = ""
    spans: list[Span] = field(default_factory=list)


def read_cells(text: str) -> ReadCells:
    """Part a notebook's code cells by what reads them."""
    python: list[Span] = []
    cuda: list[Span] = []
    magics: list[int] = []
    commands: list[tuple[str, int]] = []
    folded: list[tuple[str, int]] = []
    lines = _Lines(text)
    for spans in _code_cells(text):
        if any(_FOLDED.search(text, one.start, one.end) for one in spans):
            code = "".join(_unfolded(text[one.start : one.end]) for one in spans)
            folded.append((code, lines.at(spans[0].start)))
            continue
        first = _decoded(text, spans[0])
        if _CUDA_CELL.match(first):
            cuda.extend(spans[1:])
            magics.append(lines.at(spans[0].start))
        elif _SHELL_CELL.match(first):
            commands.extend((_decoded(text, one), lines.at(one.start)) for one in spans[1:])
        elif _PYTHON_CELL.match(first) or not _OTHER_CELL.match(first):
            magic = False
            for one in spans:
                line = _decoded(text, one)
                # A command goes on in the next line where it ends in a backslash.
                magic = _MAGIC.match(line) is not None or magic
                if magic:
                    commands.append((line.strip().lstrip("!%?"), lines.at(one.start)))
                else:
                    python.append(one)
                magic = magic and _CONTINUED.search(line) is not None
    return ReadCells(
        laid_bare(text, python), tuple(cuda), tuple(magics), tuple(commands), tuple(folded), text
    )


def is_cuda_cell(code: str) -> bool:
    """Whether a cell's first line makes it CUDA."""
    return _CUDA_CELL.match(code) is not None


def parted(code: str) -> tuple[str, list[str]]:
    """A cell's Python and its commands; a line that a shell or a magic takes is blanked."""
    if _SHELL_CELL.match(code):
        return "", code.splitlines()[1:]
    if _OTHER_CELL.match(code) and not _PYTHON_CELL.match(code):
        return "", []
    python: list[str] = []
    commands: list[str] = []
    goes_on = False
    for line in code.splitlines():
        magic = goes_on or _MAGIC.match(line) is not None
        if goes_on:
            commands[-1] = f"{commands[-1][:-1]} {line.strip()}"
        elif magic:
            commands.append(line.strip().lstrip("!%?"))
        goes_on = magic and _CONTINUED.search(line) is not None
        python.append("" if magic else line)
    return "\n".join(python), commands


def cuda_of_cells(cells: ReadCells) -> str:
    """A notebook with everything blanked but the cells that nvcc reads."""
    return laid_bare(cells.text, cells.cuda)


def laid_bare(text: str, spans: list[Span] | tuple[Span, ...]) -> str:
    """The text with everything blanked but some lines of cells, their escapes undone in place."""
    pieces: list[str] = []
    last = 0
    for one in spans:
        pieces.append(re.sub(r"[^\n]", " ", text[last : one.start]))
        pieces.append(_decoded(text, one))
        last = one.end
    pieces.append(re.sub(r"[^\n]", " ", text[last:]))
    return "".join(pieces)


def _decoded(text: str, span: Span) -> str:
    return _ESCAPED.sub(_unescaped, text[span.start : span.end])


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        half = len(match[1]) // 2
        return " " * half + '"' * half
    if match[2] is None:
        return "      "
    return f" {match[2]}" if match[2] in "\\/" else "  "


def _unfolded(text: str) -> str:
    return text.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")


def _code_cells(text: str) -> Iterator[list[Span]]:
    """Yield the lines of each code cell; what stands in no cell of code is passed over."""
    stack: list[_Frame] = []
    for match in _TOKEN.finditer(text):
        token = match[0][0]
        if token in "{[":
            stack.append(_Frame(token == "{"))
        elif token in "}]":
            frame = stack.pop() if stack else None
            if frame is not None and frame.kind == "code" and frame.spans:
                yield frame.spans
        elif stack:
            _take(stack, match)


def _take(stack: list[_Frame], match: re.Match[str]) -> None:
    """Take in a string: a key, a cell's type, or a line of its source."""
    frame = stack[-1]
    if match[2] is not None and frame.is_object:
        frame.key = match[1][1:-1]
    elif frame.is_object and frame.key == "cell_type":
        frame.kind = match[1][1:-1]
    else:
        owner = frame if frame.is_object else stack[-2] if len(stack) > 1 else frame
        if owner.is_object and owner.key in _SOURCES:
            owner.spans.append(Span(match.start(1) + 1, match.end(1) - 1))


class _Lines:
    """Line numbers of rising offsets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """The line of an offset that is not before the last one asked for."""
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = max(self._offset, offset)
        return self._line
