"""warpSize where the compiler wants a constant."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, State, Tier
from migrate.rules.code import Code

_WANTED = "It is needed as a constant here: {}."


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WARP_SIZE_CONSTANT):
        name, detail = mark.symbol, _WANTED.format(mark.values[0])
        if name == "warpSize":
            if mark.state is not State.HIP:
                continue  # CUDA's is no constant either: the name is the project's own there
        elif name in code.base.names_of_warp_size:
            detail = f"{name} is warpSize. {detail}"
        else:
            continue
        sure = Confidence.CERTAIN if mark.state is State.HIP and name == "warpSize" else None
        yield code.hit(mark, symbol="warpSize", detail=detail, confidence=sure)


RULE = Rule(
    id="HA-K006",
    slug="warp-size-constant-expression",
    title="warpSize as a constant expression",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="From ROCm 7.0 warpSize is an object that is asked on the device, no constant expression: "
    "it "
    "sizes no array, is no template argument, and no constexpr or static_assert may read it.",
    fix="Pass the width as a template parameter chosen by the host, choose a constant per GPU in "
    "device code (64 where __GFX9__ is defined, 32 elsewhere), or size arrays for 64.",
    holds=Holds(since=RocmRelease(7, 0)),
    evidence=(
        RuleEvidence(
            "HIP 7.0 changes: warpSize",
            "ROCm/rocm-systems:projects/hip/docs/hip-7-changes.rst",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "HIP headers of 7.2.4: warpSize is an object with a conversion to int on the device",
            "ROCm/rocm-systems:projects/clr/hipamd/include/hip/amd_detail/amd_warp_functions.h",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "Apex gives up warpSize as a constant for ROCm 7.0",
            "https://github.com/ROCm/apex/pull/231",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="#ifdef __HIP_PLATFORM_AMD__\n__global__ void k(float* a) {\n"
        "  __shared__ float part[1024 / warpSize];\n  a[0] = part[0];\n}\n#endif",
        hip="__global__ void k(float* a) {\n  __shared__ float part[1024 / 32];\n"
        "  a[threadIdx.x / warpSize] = part[0];\n}",
    ),
    driver=Driver.WARP_SITE,
    in_hip_code=True,
    check=_check,
)
