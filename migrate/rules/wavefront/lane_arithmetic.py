"""A thread's index taken apart into a lane and a warp with 32, 31 or 5."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.semantic import LaneArithmetic
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code
from migrate.rules.warps import has_line, is_plain_number, lane_marks, says_warp, warp_lines

_CONSTANT_OF = {"&": 31, "%": 32, "/": 32, ">>": 5}
_LANE = frozenset({"&", "%"})
"""What gives a lane's number; a quotient may also be that of blocks of 32 elements."""


def _check(code: Code) -> Iterator[Hit]:
    compiled = {(one.line, one.operator): one for one in code.lane_arithmetic}
    marks = list(lane_marks(code))
    lines = warp_lines(code)
    written = {(mark.line, mark.values[1]): mark for mark in code.marks(MarkKind.LANE_ARITHMETIC)}
    for one in code.lane_arithmetic:
        text = written.get((one.line, one.operator))
        if text is not None and text.values[2] in code.base.by_vendor:
            continue  # the compiler has read the code as CUDA, with CUDA's value
        if one.constant == _CONSTANT_OF.get(one.operator.rstrip("=")):
            exchanged = text is not None and has_line(lines, text.first_line, text.last_line)
            if not one.of_grid or exchanged:
                meant = text is None or _confidence(text, marks, lines) is not None
                yield _compiled(code, one, exchanged=exchanged, meant=meant)
    for mark in marks:
        if (mark.line, mark.values[1]) not in compiled:
            confidence = _confidence(mark, marks, lines)
            if confidence is not None:
                yield code.hit(mark, confidence=confidence)


def _compiled(code: Code, one: LaneArithmetic, *, exchanged: bool, meant: bool) -> Hit:
    """The compiler knows that it is a thread's number; lanes are certain where they exchange."""
    sure = Confidence.CERTAIN if exchanged and not one.of_grid else Confidence.LIKELY
    symbol = f"{one.origin} {one.operator} {one.constant}"
    confidence = sure if meant else Confidence.POSSIBLE
    return code.hit_place(one.line, one.column, symbol, one.function, confidence=confidence)


def _confidence(mark: Mark, marks: list[Mark], lines: list[int]) -> Confidence | None:
    """How sure it is that lanes are meant; None for what is more often something else."""
    _, operator, right, origin = mark.values
    exchanged = has_line(lines, mark.first_line, mark.last_line)
    if origin == "grid":
        return Confidence.LIKELY if exchanged and operator in _LANE else None
    if _is_plain(operator, right):
        return Confidence.LIKELY if origin == "thread" or exchanged else None
    lanes = exchanged or any(
        _is_plain(*other.values[1:3])
        and other.values[3] != "grid"
        and other.first_line == mark.first_line
        for other in marks
    )
    return Confidence.LIKELY if lanes else None


def _is_plain(operator: str, right: str) -> bool:
    """Whether an operation says by itself that lanes are meant."""
    return says_warp(right) or (operator in _LANE and is_plain_number(right))


RULE = Rule(
    id="HA-K001",
    slug="lane-of-32",
    title="Lane or warp number computed for 32 lanes",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="A wavefront of this GPU has 64 lanes: a lane number modulo 32 and a warp number by 32 "
    "split it in two, and what lanes exchange or elect by them mixes or misses halves.",
    fix="Use warpSize (or a constant chosen per GPU), or keep groups of 32 on purpose and give "
    "every shuffle the width 32.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warpSize",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void k(int* a) { int lane = threadIdx.x & 31; a[lane] = 0; }",
        hip="__global__ void k(int* a) { int lane = threadIdx.x % warpSize; a[lane] = 0; }",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
