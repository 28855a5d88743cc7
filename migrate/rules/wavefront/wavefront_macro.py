"""The compiler's macro for the wavefront's size."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WAVEFRONT_MACRO):
        yield code.hit(mark)


RULE = Rule(
    id="HA-K014",
    slug="wavefront-size-macro",
    title="The compiler's macro for the wavefront's size",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="__AMDGCN_WAVEFRONT_SIZE is deprecated since ROCm 6.4 and is gone from newer compilers; in "
    "the host's pass it says 64 whatever the GPU, so that grids made by it are wrong on GPUs with "
    "32 "
    "lanes.",
    fix="Ask hipDeviceAttributeWarpSize on the host, and choose by __GFX9__ (64) or use warpSize "
    "on "
    "the device.",
    holds=Holds(since=RocmRelease(6, 4)),
    evidence=(
        RuleEvidence(
            "HIP change log: the macro is deprecated",
            "ROCm/rocm-systems:projects/clr/CHANGELOG.md",
            RocmRelease(6, 4),
        ),
        RuleEvidence(
            "LLVM takes the macro out, and tells its value in the host's pass",
            "https://github.com/llvm/llvm-project/pull/157463",
        ),
    ),
    example=Example(
        cuda="#ifdef __HIP_PLATFORM_AMD__\n"
        "__device__ int lanes() { return __AMDGCN_WAVEFRONT_SIZE; }\n#endif",
        hip="__device__ int lanes() { return warpSize; }",
    ),
    driver=Driver.WARP_SITE,
    severity=Severity.MINOR,
    in_hip_code=True,
    check=_check,
)
