"""CMake that looks for the CUDA toolkit and uses what it found."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import ROCM_CMAKE
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    yield from hits(code, code.signals(Kind.CUDA_TOOLKIT), named=True)


RULE = Rule(
    id="HA-E003",
    slug="cmake-cuda-toolkit",
    title="CUDA's toolkit found by CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The module finds NVIDIA's toolkit; in its place stand the packages of ROCm's "
    "parts, each found by itself.",
    fix="find_package(hip) gives hip::host and hip::device; each library is a package of "
    "its own, such as hipblas or rocfft. hip_VERSION takes the place of "
    "CUDAToolkit_VERSION, with ROCm's numbers.",
    evidence=(ROCM_CMAKE,),
    example=Example(
        cuda="find_package(CUDAToolkit 12.0 REQUIRED)\n"
        "include_directories(${CUDAToolkit_INCLUDE_DIRS})\n",
        hip="find_package(hip REQUIRED)\ntarget_link_libraries(tiles PRIVATE hip::host)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
