"""Shared arrays with an entry for each warp of 32."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.warps import WARP_SIZE_NAME

_SIZED = "It has {} entries, one for 32 threads each."
_READ = "All lanes read; with 64 lanes a wavefront there are fewer partial results than lanes."


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WARP_ARRAY):
        extent, by = mark.values
        if WARP_SIZE_NAME.search(by) and 32 in code.values_of(by):  # noqa: PLR2004 - lanes
            yield code.hit(mark, detail=_SIZED.format(extent), severity=Severity.MINOR)
    for mark in code.marks(MarkKind.WARP_READ):
        yield code.hit(mark, symbol=mark.values[0], detail=_READ)


RULE = Rule(
    id="HA-K010",
    slug="partial-result-per-warp",
    title="Shared array with an entry for each warp of 32",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="A block of 1024 threads is 32 warps of 32 but 16 wavefronts of 64: an array sized by "
    "warps of 32 and read by every lane gives lanes entries that no wavefront has written.",
    fix="Size the array by the wavefront (blockDim / warpSize), and let a lane read only where its "
    "number is below the number of wavefronts; give the others the neutral element.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "ExLlamaV2 guards the read on ROCm",
            "turboderp-org/exllamav2:exllamav2/exllamav2_ext/cuda/layer_norm.cu",
        ),
        RuleEvidence(
            "HIP C++ language extensions: warpSize",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__device__ float f(float v, int warp_id, int lane_id) {\n"
        "  __shared__ float sums[32];\n  sums[warp_id] = v;\n  __syncthreads();\n"
        "  return sums[lane_id];\n}",
        hip="__device__ float f(float v, int warp_id, int lane_id, int warps) {\n"
        "  __shared__ float sums[32];\n  sums[warp_id] = v;\n  __syncthreads();\n"
        "  return lane_id < warps ? sums[lane_id] : 0;\n}",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
