"""CMake that makes CUDA a language of the project."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_HIP, ROCM_CMAKE
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    yield from hits(code, code.signals(Kind.CUDA_LANGUAGE))


RULE = Rule(
    id="HA-E001",
    slug="cmake-cuda-language",
    title="Language CUDA in CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="CMake gives .cu files to nvcc. ROCm's compiler is the language HIP, which CMake "
    "has since 3.21; it takes .hip files by itself and others where they are told "
    "so.",
    fix="Enable HIP in the AMD build, and give the .cu files that keep their name the "
    "property LANGUAGE HIP.",
    evidence=(
        ROCM_CMAKE,
        CMAKE_HIP,
    ),
    example=Example(
        cuda="project(tiles LANGUAGES CXX CUDA)\n",
        hip="project(tiles LANGUAGES CXX HIP)\n"
        "set_source_files_properties(main.cu PROPERTIES LANGUAGE HIP)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
