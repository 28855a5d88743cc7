"""A batch job that asks for a type of NVIDIA's GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    yield from map(code.hit, code.signals(Kind.GPU_TYPE))


RULE = Rule(
    id="HA-E090",
    slug="job-gpu-type",
    title="Job that asks for a type of NVIDIA GPU",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The request names a GPU that the cluster with AMD GPUs does not have, so that the job is "
    "refused or waits for ever. Requests for GPUs without a type work as they are.",
    fix="Name the site's type for its AMD GPUs, or drop the type and choose the partition. A GPU "
    "of the MI200 series is two devices for the scheduler: count ranks and GPUs anew.",
    evidence=(
        RuleEvidence(
            "Job script for AMD GPUs under Slurm on Frontier",
            "BLAST-WarpX/warpx:Tools/machines/frontier-olcf/submit.sh",
            RocmRelease(6, 2),
        ),
        RuleEvidence(
            "MI250: two devices a module",
            "ROCm/ROCm:docs/conceptual/gpu-arch/mi250.md",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\n#SBATCH --gres=gpu:a100:4\nsrun ./app\n",
        hip="#!/bin/bash\n#SBATCH --gres=gpu:mi300x:4\nsrun ./app\n",
        name="job.sbatch",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
