"""Kernel parameters qualified ``__grid_constant__``."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.QUALIFIER):
        if mark.symbol == "__grid_constant__":
            yield code.hit(mark)


RULE = Rule(
    id="HA-K164",
    slug="grid-constant",
    title="Kernel parameter qualified __grid_constant__",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="HIP's headers define no such qualifier, and clang has the attribute for CUDA only: it "
    "takes the word for an unknown type. It is a hint, that the parameter need not be copied where "
    "its address is taken; without it the code means the same.",
    fix="Define __grid_constant__ as nothing in HIP builds. A tensor map passed this way goes with "
    "the copies that use it.",
    evidence=(
        RuleEvidence(
            "HIP headers: the qualifiers that HIP defines",
            "ROCm/clr:hipamd/include/hip/amd_detail/host_defines.h",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "QuEST: ROCm does not recognise __grid_constant__",
            "https://github.com/QuEST-Kit/QuEST/pull/739",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="struct P { int n; };\n__global__ void f(const __grid_constant__ P p, int* a) {}",
        hip="struct P { int n; };\n__global__ void f(const P p, int* a) {}",
    ),
    driver=Driver.HAZARD_KIND,
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    per_file=True,
    check=_check,
)
