"""An environment module of CUDA or NVIDIA's compilers that a job loads."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    yield from map(code.hit, code.signals(Kind.MODULE))


RULE = Rule(
    id="HA-E091",
    slug="cuda-module",
    title="Environment module of CUDA",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The job loads CUDA, NVIDIA's compilers or libraries built for them; a site with AMD GPUs "
    "has modules for ROCm under other names.",
    fix="Load the site's modules instead: rocm with the target's release, amd or cray compilers, "
    "craype-accel-amd-gfx942 or its kin on Cray systems, and an MPI that was built for ROCm. "
    "Keep the names in one file a machine.",
    evidence=(
        RuleEvidence(
            "Modules for AMD GPUs on Frontier",
            "BLAST-WarpX/warpx:Tools/machines/frontier-olcf/frontier_warpx.profile.example",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nmodule load gcc cuda/12.4\n",
        hip="#!/bin/bash\nmodule load gcc rocm/7.2\n",
        name="env.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
