"""CMake that decides by the id or version of CUDA's compiler or toolkit."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_EXPRESSIONS, ROCM_CMAKE
from migrate.rules.code import Code

_LANGUAGES = ("COMPILE_LANGUAGE:", "LINK_LANGUAGE:")


def _check(code: Code) -> Iterator[Hit]:
    found = code.signals(Kind.CUDA_CONDITION)
    yield from hits(
        code, (one for one in found if not one.value.startswith(_LANGUAGES)), named=True
    )


RULE = Rule(
    id="HA-E013",
    slug="cmake-cuda-compiler-test",
    title="Build that asks for nvcc or CUDA's version",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="For HIP the compiler's id is Clang and its version is clang's, and ROCm's "
    "release numbers say nothing of CUDA's: what the test decides has to be decided "
    "anew.",
    fix="Ask CMAKE_HIP_COMPILER_ID, CMAKE_HIP_COMPILER_VERSION or hip_VERSION for what "
    "is true of ROCm; drop work-arounds for old nvcc.",
    evidence=(
        CMAKE_EXPRESSIONS,
        ROCM_CMAKE,
    ),
    example=Example(
        cuda="if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 11.2)\n  set(HEAT_OLD ON)\nendif()\n",
        hip="if(CMAKE_HIP_COMPILER_VERSION VERSION_LESS 19)\n  set(HEAT_OLD ON)\nendif()\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
