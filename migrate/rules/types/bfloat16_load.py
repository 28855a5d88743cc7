"""``__ldg`` of a bfloat16."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.types.sources import LOADS


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.TYPED_ARGUMENT):
        if mark.symbol == "__ldg" and "bfloat16" in mark.values[1]:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K145",
    slug="bfloat16-ldg",
    title="__ldg of a bfloat16",
    family=Family.TYPES,
    tier=Tier.KERNEL,
    why="HIP's __ldg, a plain load, has no overload for the bfloat16 types: no matching function.",
    fix="Load through the pointer itself: *p.",
    evidence=(LOADS,),
    example=Example(
        cuda="__device__ __nv_bfloat16 f(const __nv_bfloat16* p) { return __ldg(p); }",
        hip="__device__ __nv_bfloat16 f(const __nv_bfloat16* p) { return *p; }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
)
