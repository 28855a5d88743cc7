"""Atomics on half, bfloat16 and vector types."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.atomics.sources import HEADER
from migrate.rules.code import Code

_HALF_TYPES = frozenset(
    {
        *("half", "half2", "__half", "__half2", "nv_bfloat16", "nv_bfloat162"),
        *("__nv_bfloat16", "__nv_bfloat162"),
    }
)
_VECTORS = frozenset({"float2", "float4"})
_WITH_HALF_TYPES = RocmRelease(10, 0)


def _check(code: Code) -> Iterator[Hit]:
    lacking = _lacking(code)
    for mark in code.marks(MarkKind.TYPED_ATOMIC):
        if mark.values[0] in lacking:
            detail = f"Here it is {mark.symbol} on {mark.values[0]}."
            yield code.hit(mark, symbol=mark.symbol, detail=detail)


def _lacking(code: Code) -> frozenset[str]:
    """The types without a form on the target, and without one of the project's own."""
    types = _VECTORS if code.target.rocm.has(_WITH_HALF_TYPES) else _VECTORS | _HALF_TYPES
    return types - code.base.own_atomic_types


RULE = Rule(
    id="HA-K111",
    slug="atomic-on-half",
    title="Atomic on half, bfloat16 or a vector",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="HIP has no atomicAdd on half and bfloat16, alone or in pairs, before ROCm 10.0, and none "
    "on float2 and float4 at all: the code does not compile.",
    fix="Call unsafeAtomicAdd on the pair or the single value (HIP 6.3 and later; on memory that "
    "is not fine-grained), or loop with a 32-bit atomicCAS; add a vector element by element.",
    evidence=(
        HEADER,
        RuleEvidence(
            "HIP headers: unsafeAtomicAdd on half types",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_fp16.h",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void k(__half2* sum, __half2 v) { atomicAdd(sum, v); }",
        hip="__global__ void k(__half2* sum, __half2 v) { unsafeAtomicAdd(sum, v); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
