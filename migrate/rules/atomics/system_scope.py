"""Atomics that other GPUs and the host shall see."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.atomics.sources import EXTENSIONS, OPERATIONS
from migrate.rules.code import Code

_SYSTEM = "_system"


def _check(code: Code) -> Iterator[Hit]:
    for symbol in code.symbols:
        if symbol.startswith("atomic") and symbol.endswith(_SYSTEM):
            for use in code.uses(symbol):
                yield code.hit(use)


RULE = Rule(
    id="HA-K112",
    slug="system-scope-atomic",
    title="Atomic of system scope",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="On coarse-grained memory, which hipMalloc gives, an atomic of system scope reaches no "
    "further than the GPU; on host memory it needs PCIe atomics, which pass addition, exchange and "
    "compare-and-swap, and do nothing for the others.",
    fix="Allocate what is shared as fine-grained memory (hipHostMalloc, or hipExtMallocWithFlags "
    "with hipDeviceMallocFinegrained), keep to add, exchange and compare-and-swap, and test on the "
    "machine.",
    severity=Severity.MINOR,
    confidence=Confidence.POSSIBLE,
    evidence=(OPERATIONS, EXTENSIONS),
    example=Example(
        cuda="__global__ void k(int* shared) { atomicMax_system(shared, 1); }",
        hip="__global__ void k(int* own) { atomicMax(own, 1); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
