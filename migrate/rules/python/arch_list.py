"""The variable by which PyTorch's builds for CUDA choose their GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TORCH_EXTENSION


def _check(code: Code) -> Iterator[Hit]:
    if code.facts.language is Language.CMAKE:
        return  # a variable of CMake there, as others that choose GPUs
    for signal in code.signals(Kind.PYTHON_NAME, Kind.CUDA_VARIABLE):
        if signal.value == "TORCH_CUDA_ARCH_LIST":
            yield code.hit(signal)


RULE = Rule(
    id="HA-E062",
    slug="torch-cuda-arch-list",
    title="GPUs chosen by TORCH_CUDA_ARCH_LIST",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="Builds of extensions for ROCm do not read it: they take PYTORCH_ROCM_ARCH, and "
    "without it every GPU that PyTorch was built for.",
    fix="Set PYTORCH_ROCM_ARCH to the target's gfx names, with semicolons between them.",
    evidence=(TORCH_EXTENSION,),
    example=Example(
        cuda='import os\n\nos.environ["TORCH_CUDA_ARCH_LIST"] = "8.0 9.0"\n',
        hip='import os\n\nos.environ["PYTORCH_ROCM_ARCH"] = "gfx942;gfx950"\n',
        name="setup.py",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_tree=True,
)
