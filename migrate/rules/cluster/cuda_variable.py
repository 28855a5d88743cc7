"""Variables of CUDA's runtime that HIP does not read."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.settings import variable_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.environment import variables


def _check(code: Code) -> Iterator[Hit]:
    for name, place in variables(code):
        row = variable_row(name)
        if row is None or row.topic != "runtime" or row.verdict is Verdict.SAME:
            continue
        instead = f" {row.rocm}." if row.rocm else ""
        yield code.hit(place, detail=f"{row.name}:{instead} {row.note}", verdict=row.verdict)


RULE = Rule(
    id="HA-E097",
    slug="cuda-runtime-variable",
    title="Variable of CUDA's runtime that HIP does not read",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="HIP ignores the variable, without a word. CUDA_VISIBLE_DEVICES is the one that it "
    "honours.",
    fix="Set the variable that ROCm has for the purpose, or drop the setting where there is "
    "nothing to set.",
    evidence=(
        RuleEvidence(
            "Runtime flags of HIP",
            "ROCm/clr:rocclr/utils/flags.hpp",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "Variables that choose GPUs",
            "ROCm/ROCm:docs/conceptual/gpu-isolation.md",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nexport CUDA_LAUNCH_BLOCKING=1\n",
        hip="#!/bin/bash\nexport HIP_LAUNCH_BLOCKING=1\n",
        name="run.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    check=_check,
    by_symbol=True,
    per_tree=True,
)
