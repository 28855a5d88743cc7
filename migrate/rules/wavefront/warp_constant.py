"""A named constant that says a warp has 32 threads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.warps import WARP_SIZE_NAME

_LANES = "32"
_WARPS = re.compile(r"(?i:(?:\w*_|k|max_?)?(?:num|n)_?warps|\w*warps_?per_?(?:block|cta))")
_OTHERS = re.compile(r"(?i:sycl|opencl|vulkan|metal|musa|cann|webgpu|hexagon)")
"""Folders and files for other platforms, whose sub-groups are not CUDA's warps."""
_OF_WARPS = "32 wavefronts of 64 lanes are more threads than a block may have (1024)."


def _check(code: Code) -> Iterator[Hit]:
    if _OTHERS.search(code.path):
        return
    sizes = False
    for mark in code.marks(MarkKind.CONSTANT):
        if mark.values[0] == _LANES and WARP_SIZE_NAME.fullmatch(mark.symbol):
            sizes = True
            yield code.hit(mark)
    for mark in code.marks(MarkKind.CONSTANT_ALIAS):
        if int(_LANES) in code.values_of(mark.symbol) and mark.symbol != mark.values[0]:
            yield code.hit(mark, detail=f"It is {mark.values[0]}, which is 32.")
    for mark in code.marks(MarkKind.CONSTANT):
        alone = not sizes and mark.values[1] != "constant"
        if mark.values[0] == _LANES and not alone and _WARPS.fullmatch(mark.symbol):
            yield code.hit(mark, detail=_OF_WARPS)


RULE = Rule(
    id="HA-K002",
    slug="warp-size-constant-32",
    title="Named constant for a warp of 32 threads",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="This GPU's wavefronts have 64 lanes: what is sized, strided or launched by this constant "
    "is made for half a wavefront, and what is exchanged by it mixes two groups.",
    fix="Choose the constant per GPU in device code (64 where __GFX9__ is defined, 32 elsewhere), "
    "ask hipDeviceAttributeWarpSize in host code, and check each place that uses it.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warpSize",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "bitsandbytes chooses its constant by GPU",
            "bitsandbytes-foundation/bitsandbytes:csrc/common.cuh",
        ),
    ),
    example=Example(
        cuda="#define WARP_SIZE 32\n__global__ void k(int* a) { a[threadIdx.x] = WARP_SIZE; }",
        hip="__global__ void k(int* a) { a[threadIdx.x] = warpSize; }",
    ),
    driver=Driver.WARP_SITE,
    by_symbol=True,
    check=_check,
)
