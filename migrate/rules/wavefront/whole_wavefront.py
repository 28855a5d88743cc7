"""Shuffles and votes over the whole wavefront in code that counts 32 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.warps import lane_marks, spans_of, within

_WIDTHS = {
    "__shfl": 2,
    "__shfl_sync": 3,
    "__shfl_up": 2,
    "__shfl_up_sync": 3,
    "__shfl_down": 2,
    "__shfl_down_sync": 3,
}
"""Shuffles that may leave a group of 32, with the place of their width; an exclusive or with fewer
than 32 stays in the group."""
_VOTES = ("__any", "__all", "__ballot", "__any_sync", "__all_sync", "__ballot_sync",
          "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync")  # fmt: skip
_NO_WIDTH = "Without a width it reaches over 64 lanes."
_VOTE = "It takes in all 64 lanes."


def _check(code: Code) -> Iterator[Hit]:
    spans = spans_of(mark for mark in lane_marks(code) if mark.values[1] in {"&", "%"})
    if not spans:
        return
    loops = [(mark.line, mark.end_line) for mark in code.marks(MarkKind.WARP_LOOP)]
    for call in code.calls(*_WIDTHS, *_VOTES):
        if within(spans, call.line) and not within(loops, call.line) and _is_whole(call):
            yield code.hit(call, detail=_VOTE if call.symbol in _VOTES else _NO_WIDTH)
    for mark in code.marks(MarkKind.WARP_CALL):
        builtins = code.base.warp_functions.get(mark.symbol, frozenset())
        if within(spans, mark.line) and not within(loops, mark.line) and builtins & _WIDTHS.keys():
            yield code.hit(mark, detail=f"It stands for {', '.join(sorted(builtins))}.")


def _is_whole(call: CallSite) -> bool:
    return call.symbol in _VOTES or len(call.arguments) <= _WIDTHS[call.symbol]


RULE = Rule(
    id="HA-K004",
    slug="whole-wavefront-exchange",
    title="Shuffle or vote over 64 lanes in code that counts 32",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="The function numbers its lanes from 0 to 31, while the exchange spans the wavefront's 64: "
    "lane 0 is the first half's only, a step up or down crosses into the other half, and a vote "
    "asks both.",
    fix="Give the shuffle the width 32, cut the group's 32 bits out of a ballot, or number the "
    "lanes by warpSize.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warp cross-lane functions, the width's default",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "HeCBench: prefix sums that crossed virtual warps without a width",
            "https://github.com/zjin-lcf/HeCBench/issues/180",
        ),
    ),
    example=Example(
        cuda="__device__ float f(float v) {\n"
        "  int lane = threadIdx.x & 31;\n  return lane ? __shfl(v, 0) : v;\n}",
        hip="__device__ float f(float v) {\n"
        "  int lane = threadIdx.x & 31;\n  return lane ? __shfl(v, 0, 32) : v;\n}",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
