"""atomicAdd on double where the GPU has no instruction for it."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, Trait
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.atomics.sources import OPERATIONS
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.TYPED_ATOMIC):
        if mark.symbol == "atomicAdd" and mark.values[0] == "double":
            yield code.hit(mark)


RULE = Rule(
    id="HA-K114",
    slug="double-atomic-by-loop",
    title="atomicAdd on double by a loop",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="This GPU has no instruction that adds a double to memory: the compiler writes a "
    "compare-and-swap loop, which is right and slow where many threads meet.",
    fix="Reduce in the block first, so that few atomics are left.",
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    holds=Holds(traits=(Trait.NO_NATIVE_FP64_ATOMICS,)),
    evidence=(OPERATIONS,),
    example=Example(
        cuda="__global__ void k(double* sum, double v) { atomicAdd(sum, v); }",
        hip="",
    ),
    driver=Driver.NONE,
    check=_check,
)
