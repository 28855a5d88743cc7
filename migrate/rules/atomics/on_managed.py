"""Atomics on floating-point values in memory that the host may hold."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Holds, Rule, Trait
from migrate.model.verdict import Severity, Tier
from migrate.rules.atomics.sources import EXTENSIONS, OPERATIONS
from migrate.rules.code import Code

_ALLOCATORS = ("cudaMallocManaged", "cuMemAllocManaged")
_FLOATING = frozenset({"float", "double"})


def _check(code: Code) -> Iterator[Hit]:
    managed = any(True for _ in code.calls(*_ALLOCATORS)) or any(
        mark.symbol == "__managed__" for mark in code.marks(MarkKind.QUALIFIER)
    )
    for mark in code.marks(MarkKind.TYPED_ATOMIC) if managed else ():
        if mark.symbol != "atomicCAS" and mark.values[0] in _FLOATING:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K115",
    slug="float-atomic-on-managed",
    title="Floating-point atomic where managed memory is allocated",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="The fast floating-point atomics of this GPU do nothing on fine-grained memory, managed "
    "memory among it. The compiler's default is a compare-and-swap loop, which is right; with "
    "-munsafe-fp-atomics, or unsafeAtomicAdd, sums get lost without an error.",
    fix="Sum into memory of hipMalloc, or keep the default for this file; safeAtomicAdd keeps it "
    "at one place.",
    severity=Severity.MINOR,
    holds=Holds(traits=(Trait.UNSAFE_FLOAT_ATOMICS,)),
    evidence=(OPERATIONS, EXTENSIONS),
    example=Example(
        cuda="__global__ void k(float* sum) { atomicAdd(sum, 1.0f); }\n"
        "void f(float* sum) { cudaMallocManaged(&sum, sizeof(float)); k<<<1, 64>>>(sum); }",
        hip="__global__ void k(float* sum) { atomicAdd(sum, 1.0f); }\n"
        "void f(float* sum) { cudaMalloc(&sum, sizeof(float)); k<<<1, 64>>>(sum); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
