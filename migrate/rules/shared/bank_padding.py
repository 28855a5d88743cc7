"""Shared tiles with a column more, so that 32 lanes hit 32 banks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import SeenBy, Severity, Tier, Verdict
from migrate.rules.code import Code

_PADDED = re.compile(r"\[\s*\w+\s*\]\s*\[\s*(?:\w+\s*\+\s*1|33|65)\s*\]")


def _check(code: Code) -> Iterator[Hit]:
    for variable in code.facts.shared:
        if not variable.dynamic and _PADDED.fullmatch(variable.extent):
            yield code.hit_place(
                variable.line, 1, variable.name, variable.function, seen_by=SeenBy.TREE
            )


RULE = Rule(
    id="HA-K126",
    slug="bank-padding",
    title="Shared tile padded for 32 lanes",
    family=Family.SHARED,
    tier=Tier.KERNEL,
    why="The extra column spreads the accesses of 32 lanes over 32 banks. LDS has 32 banks too (64 "
    "on gfx950), but serves the 64 lanes of a wavefront in parts that depend on the width of the "
    "access: the padding may be needed less, or elsewhere.",
    fix="Nothing for a first version; measure LDS bank conflicts with ROCm Compute Profiler when "
    "the kernel is tuned.",
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP performance guidelines: bank conflicts in LDS",
            "ROCm/HIP:docs/how-to/performance_guidelines.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void k(float* p) {\n"
        "  __shared__ float tile[32][33];\n"
        "  tile[threadIdx.x][threadIdx.y] = p[threadIdx.x];\n"
        "}",
        hip="",
    ),
    driver=Driver.NONE,
    check=_check,
)
