"""The CUDA toolkit's folder as PyTorch's extension builder finds it."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TORCH_EXTENSION


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if signal.value == "torch.utils.cpp_extension.CUDA_HOME":
            yield code.hit(signal)


RULE = Rule(
    id="HA-E061",
    slug="cuda-home-of-extension",
    title="CUDA_HOME of PyTorch's extension builder",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="CUDA_HOME is None where no CUDA toolkit lies: a path joined to it raises, and a "
    "check for it refuses the build on ROCm.",
    fix="Take ROCM_HOME where torch.version.hip is set, or let CUDAExtension find headers and "
    "libraries.",
    evidence=(TORCH_EXTENSION,),
    example=Example(
        cuda="import os\n"
        "\n"
        "from torch.utils.cpp_extension import CUDA_HOME\n"
        "\n"
        'INCLUDE = os.path.join(CUDA_HOME, "include")\n',
        hip="import os\n"
        "\n"
        "from torch.utils.cpp_extension import ROCM_HOME\n"
        "\n"
        'INCLUDE = os.path.join(ROCM_HOME, "include")\n',
        name="setup.py",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
