"""ONNX Runtime asked for CUDA or TensorRT."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import ORT


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PROVIDER):
        yield code.hit(signal)


RULE = Rule(
    id="HA-E063",
    slug="onnx-cuda-provider",
    title="Execution provider of ONNX Runtime for NVIDIA GPUs",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="The providers for CUDA and TensorRT are not in a build for ROCm: a session that asks "
    "for them falls back to the CPU or raises.",
    fix="Ask for MIGraphXExecutionProvider before CPUExecutionProvider, with its own options.",
    evidence=(ORT,),
    example=Example(
        cuda="import onnxruntime\n"
        "\n"
        'SESSION = onnxruntime.InferenceSession("m", providers=["CUDAExecutionProvider"])\n',
        hip="import onnxruntime\n"
        "\n"
        'SESSION = onnxruntime.InferenceSession("m", providers=["MIGraphXExecutionProvider"])\n',
        name="run.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
