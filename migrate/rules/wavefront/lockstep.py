"""Code that relies on 32 threads in step."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.warps import lane_marks, spans_of, wave64, within
from migrate.rules.wavefront.reduction import covers_a_warp

_STEP = "A step of a reduction or a sort in memory without a barrier before it."
_BROADCAST = "One lane wrote this entry: nothing but lockstep makes the others wait for it."
_FENCE_OF_ALL = (
    "It orders all 64 lanes here, the warp's 32 among them: it may stay, and what is left to check "
    "is which lanes share the memory around it."
)
_FENCE_REACHES = RocmRelease(7, 0)
"""From here on HIP has __syncwarp."""
_LOOP = "The loop's steps in memory have no barrier between them."
_FENCE = "It orders the steps of this warp."
_UNORDERED = "Neither volatile nor a barrier orders this step behind the one before."


def _check(code: Code) -> Iterator[Hit]:
    steps = [mark for mark in code.marks(MarkKind.SHARED_STEP) if mark.values[2] != "barrier"]
    loops = [
        mark
        for mark in code.marks(MarkKind.WARP_LOOP)
        if mark.values[2] == "shared" and covers_a_warp(code, mark)
    ]
    fences = list(code.marks(MarkKind.SYNCWARP))
    spans = spans_of(_chains(steps))
    for mark in steps:
        if within(spans, mark.line):
            yield _step(code, mark)
    for mark in loops:
        yield code.hit(mark, detail=_LOOP, archs=wave64(code))
    for mark in code.marks(MarkKind.LANE_BROADCAST):
        yield code.hit(mark, detail=_BROADCAST, severity=Severity.MINOR)
    of_steps = spans + spans_of(loops)
    of_32 = of_steps + spans_of(lane_marks(code))
    for mark in fences:
        named = any(32 in code.values_of(name) for name in mark.values)  # noqa: PLR2004 - lanes
        if named or within(of_32, mark.line):
            alone = code.target.rocm.has(_FENCE_REACHES) and not within(of_steps, mark.line)
            detail = _FENCE_OF_ALL if alone else _FENCE
            yield code.hit(mark, detail=detail, severity=Severity.MINOR, archs=wave64(code))


def _step(code: Code, mark: Mark) -> Hit:
    """Steps that something orders are a question of 64 lanes alone."""
    ordered = bool(mark.values[2])
    return code.hit(
        mark,
        symbol=mark.values[0],
        detail=_STEP if ordered else _UNORDERED,
        severity=Severity.MINOR if ordered else None,
        archs=wave64(code) if ordered else None,
    )


def _chains(steps: list[Mark]) -> Iterator[Mark]:
    """The steps of functions in which at least three follow each other without a barrier."""
    for mark in steps:
        alike = {
            one.values[1]
            for one in steps
            if one.first_line == mark.first_line and one.values[0] == mark.values[0]
        }
        if len(alike) >= 3:  # noqa: PLR2004 - a chain
            yield mark


RULE = Rule(
    id="HA-K012",
    slug="warp-synchronous-memory",
    title="Warp-synchronous steps in shared memory",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="The threads of a warp exchange values through memory and count on being in step, 32 at a "
    "time. A wavefront runs in lockstep, but the compiler may move the accesses where neither "
    "volatile nor a barrier orders them, and on GPUs with 64 lanes a warp of 32 is half of one; "
    "__syncwarp itself exists from ROCm 7.0 on only.",
    fix="Put __syncthreads or __syncwarp between the steps, use shuffles, and check who takes part "
    "where a wavefront has 64 lanes.",
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: lanes in lockstep, memory not ordered without a fence",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "PyTorch3D leaves __syncwarp out on ROCm, and says why it may",
            "facebookresearch/pytorch3d:pytorch3d/csrc/utils/warp_reduce.cuh",
        ),
    ),
    example=Example(
        cuda="__device__ void f(volatile float* s, int t) {\n"
        "  s[t] += s[t + 16];\n  s[t] += s[t + 8];\n  s[t] += s[t + 4];\n}",
        hip="__device__ void f(float* s, int t) {\n"
        "  __syncthreads();\n  s[t] += s[t + 16];\n  __syncthreads();\n  s[t] += s[t + 8];\n"
        "  __syncthreads();\n  s[t] += s[t + 4];\n}",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
