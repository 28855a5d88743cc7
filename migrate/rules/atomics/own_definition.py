"""A device function of the project's own that HIP defines already."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule
from migrate.model.verdict import Confidence, Tier
from migrate.rules.atomics.sources import HEADER
from migrate.rules.code import Code
from migrate.rules.warps import only_newer_cuda

_UNSIGNED_LONG = frozenset({"unsigned long", "unsigned long int", "size_t", "uint64_t"})
_FLOATING = frozenset({"float", "double"})
_LONG_LONG = frozenset({"unsigned long long", "unsigned long long int"})
_ONLY_IN_HIP = {
    "atomicAdd": _UNSIGNED_LONG | {"double"},
    "atomicSub": _UNSIGNED_LONG | _FLOATING | _LONG_LONG,
    "atomicMin": _UNSIGNED_LONG | _FLOATING,
    "atomicMax": _UNSIGNED_LONG | _FLOATING,
    "atomicCAS": _UNSIGNED_LONG | _FLOATING,
    "atomicExch": _UNSIGNED_LONG | {"double"},
}
"""What HIP defines and CUDA does not, or not for its oldest GPUs."""


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.OWN_ATOMIC):
        if _clashes(mark) and not only_newer_cuda(code, mark.line):
            yield code.hit(mark, symbol=f"{mark.symbol}({mark.values[0]}*)")


def _clashes(mark: Mark) -> bool:
    pointed_to, where = mark.values
    return not where and pointed_to in _ONLY_IN_HIP.get(mark.symbol, frozenset())


RULE = Rule(
    id="HA-K110",
    slug="own-atomic",
    title="Atomic function that HIP defines itself",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="HIP has atomicMin and atomicMax on float and double, atomicAdd on double on every GPU, "
    "and all of them on unsigned long. A definition of the same name and parameters at global "
    "scope is a redefinition there, or makes every call ambiguous.",
    fix="Leave the definition out in HIP builds (#ifndef __HIP_PLATFORM_AMD__).",
    confidence=Confidence.CERTAIN,
    evidence=(HEADER,),
    example=Example(
        cuda="__device__ float atomicMax(float* address, float value) {\n"
        "  int old = atomicMax((int*)address, __float_as_int(value));\n"
        "  return __int_as_float(old);\n"
        "}",
        hip="__device__ void largest(float* address, float value) { atomicMax(address, value); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
