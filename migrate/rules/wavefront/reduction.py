"""A reduction or scan over 32 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code

_SHUFFLES = {"__shfl_up": 2, "__shfl_down": 2, "__shfl_xor": 2}
"""Shuffles by a number of lanes, with the place of their width."""
_STEPS = {f"{name}{sync}": width + bool(sync) for name, width in _SHUFFLES.items()
          for sync in ("", "_sync")}  # fmt: skip
_HALF, _WARP = 16, 32
_LOOP = "The loop covers 32 lanes."
_STEP = "The steps cover 32 lanes."
_OTHER_HALF = "Each lane adds what the lanes one step on have, as in a warp of 32."


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WARP_LOOP):
        if mark.values[2] != "shared" and covers_a_warp(code, mark) and not _grouped(code, mark):
            yield code.hit(mark, detail=_LOOP)
    yield from _written_out(code)
    for mark in code.marks(MarkKind.LANE_STEP):
        if mark.values[0].startswith("__") or mark.values[0] in code.base.warp_functions:
            yield code.hit(mark, symbol=mark.values[0], detail=_OTHER_HALF)


def covers_a_warp(code: Code, loop: Mark) -> bool:
    """Whether a loop over lanes goes down from 16 or up to 32."""
    bound, direction, *_ = loop.values
    values = code.values_of(bound)
    if direction == "down":
        return _HALF in values
    return (_WARP if direction == "up" else _HALF) in values


def _grouped(code: Code, loop: Mark) -> bool:
    """Whether the shuffle says that it works in groups."""
    width = loop.values[3]
    return bool(width) and (not code.values_of(width) or max(code.values_of(width)) <= _WARP)


def _written_out(code: Code) -> Iterator[Hit]:
    """Shuffles by 16, 8 and 4 lanes one after the other."""
    by_function: dict[str, dict[int, CallSite]] = {}
    for call in code.calls(*_STEPS):
        width = _STEPS[call.symbol]
        if len(call.arguments) != width:
            continue
        for value in code.values_of(call.arguments[width - 1]):
            by_function.setdefault(call.function, {}).setdefault(value, call)
    for steps in by_function.values():
        if {_HALF, 8, 4} <= steps.keys() and _WARP not in steps:
            for value in sorted(steps):
                yield code.hit(steps[value], detail=_STEP)


RULE = Rule(
    id="HA-K003",
    slug="reduction-over-32-lanes",
    title="Reduction or scan over 32 lanes",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="A wavefront of this GPU has 64 lanes: steps from 16 down leave two partial results in it, "
    "and without a width the shuffles of a scan read the lanes of the other half.",
    fix="Start at warpSize / 2 (one step more), or keep two groups of 32 on purpose: width 32 for "
    "every shuffle, and both results used.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warp shuffle functions, width",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "HeCBench: HIP twins with another width of the warp",
            "https://github.com/zjin-lcf/HeCBench/issues/180",
        ),
    ),
    example=Example(
        cuda="__device__ float f(float v) {\n"
        "  for (int o = 16; o > 0; o >>= 1) v += __shfl_down(v, o);\n  return v;\n}",
        hip="__device__ float f(float v) {\n"
        "  for (int o = warpSize / 2; o > 0; o >>= 1) v += __shfl_down(v, o);\n  return v;\n}",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
