"""A 32-bit lane mask given to a warp ``_sync`` builtin."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.lanes.builtins import MASKED, mask_bits


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls(*MASKED):
        if call.arguments and mask_bits(code, call) == 32:  # noqa: PLR2004 - the rule's name
            yield code.hit(call)


RULE = Rule(
    id="HA-K030",
    slug="lane-mask-32",
    title="32-bit lane mask in a warp builtin",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="HIP takes lane masks as 64 bits on every GPU, and a static assertion in its headers "
    "refuses a narrower type; where a wavefront has 64 lanes, 32 bits also leave half of it out.",
    fix="Give a 64-bit mask (~0ull for all lanes), or use the form without mask where every lane "
    "takes part.",
    holds=Holds(since=RocmRelease(6, 2)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warp cross-lane functions",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "HIP headers: the static assertion on the mask's size",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_warp_sync_functions.h",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__device__ float f(float v) { return v + __shfl_xor_sync(0xffffffff, v, 16); }",
        hip="__device__ float f(float v) { return v + __shfl_xor_sync(~0ull, v, 16, 32); }",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
