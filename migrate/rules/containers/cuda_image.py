"""A container that is built on, or runs, one of NVIDIA's CUDA images."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code

_CUDA_IMAGE = re.compile(r"(?:^|/)nvidia/(?:cuda|cudagl|cuda-gl)(?:[:@]|$)")


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.IMAGE):
        if _CUDA_IMAGE.search(signal.value):
            yield code.hit(signal)


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
    ),
    example=Example(
        cuda="FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n",
        hip="FROM rocm/dev-ubuntu-22.04:7.2-complete\n",
        name="Dockerfile",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
