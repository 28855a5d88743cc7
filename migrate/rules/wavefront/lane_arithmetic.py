"""A thread's index taken apart into a lane and a warp with 32, 31 or 5."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code

_CONSTANT_OF = {"&": 31, "%": 32, "/": 32, ">>": 5}


def _check(code: Code) -> Iterator[Hit]:
    compiled = {(one.line, one.operator): one for one in code.lane_arithmetic}
    for one in code.lane_arithmetic:
        if not one.of_grid and one.constant == _CONSTANT_OF.get(one.operator):
            yield code.hit_place(
                one.line,
                one.column,
                f"{one.origin} {one.operator} {one.constant}",
                one.function,
                confidence=Confidence.CERTAIN,
            )
    for mark in code.marks(MarkKind.LANE_ARITHMETIC):
        if (mark.line, mark.values[1]) not in compiled and _is_of_32(code, mark):
            yield code.hit(mark)


def _is_of_32(code: Code, mark: Mark) -> bool:
    left, operator, right = mark.values
    return left == "threadIdx.x" and _CONSTANT_OF[operator] in code.values_of(right)


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
