"""A container image of a framework or server that comes with CUDA inside."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.images import image_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.containers.cuda_image import TOOLKITS
from migrate.rules.containers.gpu_operator import OPERATORS


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.IMAGE):
        row = image_row(signal.value)
        if row is None or not row.rocm or row.what in TOOLKITS | OPERATORS:
            continue
        said = f"{row.what}: {row.rocm}." + (f" {row.note}" if row.note else "")
        yield code.hit(signal, detail=said)


RULE = Rule(
    id="HA-E071",
    slug="cuda-framework-image",
    title="Container image of a framework for CUDA",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="The image holds a framework that was built for CUDA, with NVIDIA's libraries; on an AMD "
    "GPU it finds no device.",
    fix="Take the image that is built for ROCm (rocm/pytorch, rocm/tensorflow, rocm/jax, "
    "rocm/vllm) with a tag of the target's release, and check which Python packages of the "
    "old image it lacks.",
    evidence=(
        RuleEvidence(
            "Container images of frameworks for ROCm",
            "ROCm/rocm-install-on-linux:docs/reference/docker-image-support-matrix.rst",
            RocmRelease(6, 2),
        ),
        RuleEvidence(
            "vLLM's image for ROCm",
            "ROCm/ROCm:docs/how-to/rocm-for-ai/inference/vllm-benchmark.rst",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "Text Generation Inference on AMD GPUs",
            "huggingface/text-generation-inference:docs/source/installation_amd.md",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="FROM nvcr.io/nvidia/pytorch:24.07-py3\n",
        hip="FROM rocm/pytorch:latest\n",
        name="Dockerfile",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
