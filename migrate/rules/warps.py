"""What the rules on wavefronts and lane masks ask alike of a file."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Hit
from migrate.model.verdict import Confidence
from migrate.rules.code import Code

WARP_SIZE_NAME = re.compile(
    r"(?i:(?:\w*_|k|n|num_?|my|cuda|\w*[a-z0-9](?=W))?warp_?(?:size|sz|threads|lanes|width)(?:_?\w{1,8})?"
    r"|\w*threads?_?per_?warp|\w*lanes_?per_?warp|k?warp)"
)
"""Names that people give to the number of threads in a warp."""
_CONSTANT_OF = {"&": 31, "%": 32, "/": 32, ">>": 5}
_SAYS_WARP = re.compile(r"(?i:warp|lane|wave)")
_WAVE64 = 64
_BUILTINS = tuple(
    f"__{name}{sync}"
    for name in ("shfl", "shfl_up", "shfl_down", "shfl_xor", "ballot", "any", "all", "match_any",
                 "match_all")
    for sync in ("", "_sync")
)  # fmt: skip
_OTHERS = (
    "__syncwarp",
    "__activemask",
    *(f"__reduce_{name}_sync" for name in ("add", "min", "max", "and", "or", "xor")),
)


def only_newer_cuda(code: Code, line: int) -> bool:
    """Whether a line is compiled only where CUDA's macros have a value, as in no HIP build."""
    return any(mark.line <= line <= mark.end_line for mark in code.marks(MarkKind.CUDA_BRANCH))


def unsure_in_newer_cuda(code: Code, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Hits, only possible where no HIP build comes by until somebody adapts the condition."""
    for hit in hits:
        unsure = only_newer_cuda(code, hit.line)
        yield replace(hit, confidence=Confidence.POSSIBLE) if unsure else hit


def wave64(code: Code) -> tuple[str, ...]:
    """The target's GPUs with 64 lanes a wavefront."""
    pairs = zip(code.target.archs, code.base.archs, strict=True)
    return tuple(gfx for gfx, arch in pairs if arch.wavefront_size == _WAVE64)


def narrower_archs(code: Code, lanes: int) -> tuple[str, ...]:
    """The target's GPUs whose wavefronts have fewer lanes."""
    pairs = zip(code.target.archs, code.base.archs, strict=True)
    return tuple(gfx for gfx, arch in pairs if arch.wavefront_size < lanes)


def lane_marks(code: Code) -> Iterator[Mark]:
    """Arithmetic on a thread's number with a warp of 32."""
    for mark in code.marks(MarkKind.LANE_ARITHMETIC):
        _, operator, right, _ = mark.values
        name, minus, _ = right.partition(" - ")
        if minus:
            found = operator == "&" and 32 in code.values_of(name)  # noqa: PLR2004 - lanes
        else:
            found = _CONSTANT_OF[operator] in code.values_of(right)
        if found:
            yield mark


def says_warp(text: str) -> bool:
    """Whether a constant's name tells that it is about warps."""
    return _SAYS_WARP.search(text) is not None


def is_plain_number(text: str) -> bool:
    """Whether a constant is written as a number, not by a name."""
    return text[:1].isdigit()


def warp_lines(code: Code) -> list[int]:
    """The lines, in order, on which a warp builtin or a warp function of the project is called."""
    lines = [use.line for use in code.uses(*_BUILTINS, *_OTHERS)]
    lines += [mark.line for mark in code.marks(MarkKind.WARP_CALL)]
    return sorted(lines)


def has_line(lines: list[int], first: int, last: int) -> bool:
    """Whether one of the lines, given in order, is between two."""
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= last


def spans_of(marks: Iterable[Mark]) -> list[tuple[int, int]]:
    """The functions that marks are in, by their first and last line."""
    return sorted({(mark.first_line, mark.last_line) for mark in marks if mark.first_line})


def within(spans: Iterable[tuple[int, int]], line: int) -> bool:
    """Whether a line is in one of the functions."""
    return any(first <= line <= last for first, last in spans)
