"""Apptainer or Singularity that binds NVIDIA's driver into the container."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.GPU_REQUEST):
        if signal.value in {"--nv", "--nvccli"}:
            yield code.hit(signal)


RULE = Rule(
    id="HA-E076",
    slug="apptainer-nv",
    title="Apptainer started with --nv",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="--nv binds NVIDIA's driver libraries and devices into the container; on a node with AMD "
    "GPUs it finds none and warns.",
    fix="Write --rocm, which binds /dev/kfd, /dev/dri and the host's ROCm libraries. Where the "
    "image brings its own ROCm, bind the two devices alone, so that the releases do not mix.",
    evidence=(
        RuleEvidence(
            "GPU support in Apptainer: --nv and --rocm",
            "apptainer/apptainer-userdocs:gpu.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="apptainer exec --nv app.sif ./app\n",
        hip="apptainer exec --rocm app.sif ./app\n",
        name="run.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
