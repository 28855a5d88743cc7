"""CMake's variables and properties that say for which NVIDIA GPUs code is made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_ARCHITECTURES, ROCM_CMAKE
from migrate.rules.code import Code

_NAMES = re.compile(
    r"(?:CMAKE_)?CUDA_ARCHITECTURES(?:_\w+)?|TORCH_CUDA_ARCH_LIST|\w*CUDA_ARCH(?:S|_BIN|_PTX|_LIST)"
    r"|\w+_CUDA_ARCHITECTURES|\w*NVCC_ARCHS(?:_\w+)?"
)


def _check(code: Code) -> Iterator[Hit]:
    cmake = code.facts.language is Language.CMAKE
    found = [
        one
        for one in code.signals(Kind.CUDA_VARIABLE)
        if _NAMES.fullmatch(one.value) and (cmake or one.value != "TORCH_CUDA_ARCH_LIST")
    ]
    yield from hits(code, found, named=True)


RULE = Rule(
    id="HA-E006",
    slug="cmake-cuda-architectures",
    title="GPUs chosen by a variable or property of CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The numbers name NVIDIA's compute capabilities; HIP's targets are gfx names in "
    "variables and properties of their own.",
    fix="Set CMAKE_HIP_ARCHITECTURES or the property HIP_ARCHITECTURES to gfx names; "
    "where C++ sources hold device code it is GPU_TARGETS, for PyTorch's extensions "
    "PYTORCH_ROCM_ARCH.",
    evidence=(
        ROCM_CMAKE,
        CMAKE_ARCHITECTURES,
    ),
    example=Example(
        cuda="set(CMAKE_CUDA_ARCHITECTURES 80 90)\n",
        hip="set(CMAKE_HIP_ARCHITECTURES gfx90a gfx942)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
