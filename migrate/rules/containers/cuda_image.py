"""A container that is built on, or runs, one of NVIDIA's CUDA images."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.images import image_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.containers.sources import ROCM_DOCKER

TOOLKITS = frozenset(("CUDA", "NVIDIA HPC SDK"))
"""What the table calls images of a toolkit, not of a program on top of it."""
_VARIANT = re.compile(r":\S*?(devel|runtime|base)")
_TAKE = {
    "devel": "its devel images are ROCm's -complete ones, which are large",
    "runtime": "its runtime images are ROCm's without a suffix, plus the libraries that are used",
    "base": "its base images are ROCm's without a suffix",
}


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.IMAGE):
        row = image_row(signal.value)
        if row is not None and row.what in TOOLKITS:
            variant = _VARIANT.search(signal.value)
            said = f"{row.what}: {_TAKE[variant[1]]}." if variant else row.note
            yield code.hit(signal, detail=said)


RULE = Rule(
    id="HA-E070",
    slug="cuda-base-image",
    title="Container image of CUDA",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="NVIDIA's CUDA images hold its toolkit, libraries and driver glue; none of it serves an "
    "AMD GPU.",
    fix="Build on an image of ROCm of the target's release (rocm/dev-ubuntu-24.04 has compilers "
    "and runtime, its -complete variant the libraries too), or install ROCm's packages on a plain "
    "image.",
    evidence=(
        RuleEvidence(
            "ROCm's Docker images and what they hold",
            "ROCm/ROCm-docker:README.md",
            RocmRelease(7, 0),
        ),
        ROCM_DOCKER,
    ),
    example=Example(
        cuda="FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n",
        hip="FROM rocm/dev-ubuntu-22.04:7.2-complete\n",
        name="Dockerfile",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
