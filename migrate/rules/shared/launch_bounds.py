"""Launch bounds whose second number counts blocks."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import (
    Driver,
    Example,
    Family,
    HazardKind,
    Hit,
    Holds,
    Rule,
    RuleEvidence,
    Trait,
)
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.shared.sources import EXTENSIONS
from migrate.rules.warps import only_newer_cuda

_UNITS = 4
"""Execution units of a CU, and of a WGP on RDNA."""


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.QUALIFIER):
        if mark.symbol == "__launch_bounds__" and len(mark.values) > 1:
            blocks = code.values_of(mark.values[1])
            if blocks in {(0,), (1,)} or only_newer_cuda(code, mark.line):
                continue
            wanted = _wanted(code, mark)
            if not blocks or any(number != blocks[-1] for number in wanted.values()):
                yield code.hit(mark, detail=_detail(wanted, blocks[-1] if blocks else 0))


def _wanted(code: Code, mark: Mark) -> dict[str, float]:
    """The number that means the same on each GPU, where both numbers are known."""
    threads, blocks = (code.values_of(text) for text in mark.values[:2])
    if len(threads) != 1 or len(blocks) != 1:
        return {"": -1}
    return {
        gfx: threads[0] * blocks[0] / (arch.wavefront_size * _UNITS)
        for gfx, arch in zip(code.target.archs, code.base.archs, strict=True)
    }


def _detail(wanted: dict[str, float], blocks: int) -> str:
    if "" in wanted:
        return ""
    told = ", ".join(f"{max(1, round(number))} on {gfx}" for gfx, number in wanted.items())
    return f"What {blocks} means in CUDA is {told}."


RULE = Rule(
    id="HA-K123",
    slug="launch-bounds-blocks",
    title="Launch bounds that count blocks",
    family=Family.SHARED,
    tier=Tier.KERNEL,
    why="The second number of __launch_bounds__ is the least number of blocks on a multiprocessor "
    "in CUDA, and of wavefronts on an execution unit in HIP. The same number limits the registers "
    "too hard or not at all; results stay right.",
    fix="Write blocks * threads / (warpSize * 4), for the four execution units of a compute unit, "
    "or leave the number out and look at the register use again.",
    severity=Severity.MINOR,
    holds=Holds(traits=(Trait.WAVE64, Trait.WAVE32)),
    evidence=(
        EXTENSIONS,
        RuleEvidence(
            "HIP porting guide: porting from CUDA __launch_bounds__",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void __launch_bounds__(128, 8) k(int* p) { *p = 1; }",
        hip="__global__ void __launch_bounds__(128) k(int* p) { *p = 1; }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.LAUNCH_BOUNDS_OR_LDS,
    check=_check,
)
