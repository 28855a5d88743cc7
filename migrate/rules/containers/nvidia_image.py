"""A container image of NVIDIA's software that nobody builds for ROCm."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.images import image_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.IMAGE):
        row = image_row(signal.value)
        if row is not None and row.verdict is Verdict.MISSING:
            said = f"{row.what} has no image for ROCm." + (f" {row.note}" if row.note else "")
            yield code.hit(signal, detail=said)


RULE = Rule(
    id="HA-E072",
    slug="nvidia-only-image",
    title="Container image without a counterpart for ROCm",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="What the image holds is NVIDIA's own program with its engines for CUDA, and there is no "
    "build of it for ROCm.",
    fix="Replace the program (vLLM, ONNX Runtime or MIGraphX serve models; hipDF and its kin "
    "cover a part of RAPIDS), build it from source without its CUDA parts, or leave the "
    "service on NVIDIA GPUs.",
    evidence=(
        RuleEvidence(
            "AMD's images on Docker Hub",
            "ROCm/ROCm-docker:README.md",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "Components of ROCm by release",
            "ROCm/legacy-rocm-build:docs/compatibility/compatibility-matrix.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="FROM nvcr.io/nvidia/tritonserver:24.05-py3\n",
        hip="FROM rocm/vllm:latest\n",
        name="Dockerfile",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.MISSING,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
