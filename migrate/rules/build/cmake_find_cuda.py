"""CMake that builds with the module FindCUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import FIND_CUDA, ROCM_CMAKE
from migrate.rules.code import Code

_VARIABLES = re.compile(
    r"CUDA_(?:NVCC_FLAGS(?:_[A-Z]+)?|NVCC_EXECUTABLE|LIBRARIES|INCLUDE_DIRS|TOOLKIT_ROOT_DIR|FOUND"
    r"|SDK_ROOT_DIR|[A-Za-z]+_LIBRARY|[A-Z]+_LIBRARIES|HOST_COMPILATION_CPP|BUILD_CUBIN"
    r"|PROPAGATE_HOST_FLAGS|HOST_COMPILER|VERBOSE_BUILD|64_BIT_DEVICE_CODE"
    r"|ATTACH_VS_BUILD_RULE_TO_CUDA_FILE|VERSION(?:_M\w+|_STRING)?)"
)


def _check(code: Code) -> Iterator[Hit]:
    found = list(code.signals(Kind.FIND_CUDA))
    if Kind.FIND_CUDA in code.base.signal_kinds:
        variables = code.signals(Kind.CUDA_VARIABLE)
        found += [one for one in variables if _VARIABLES.fullmatch(one.value)]
    yield from hits(code, sorted(found, key=lambda one: (one.line, one.column)), named=True)


RULE = Rule(
    id="HA-E002",
    slug="cmake-find-cuda",
    title="Build by the old module FindCUDA",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="FindCUDA compiles through commands and variables of its own, which CMake takes "
    "away under policy CMP0146 (3.27) and which know nvcc only.",
    fix="Make HIP a language: plain add_library and add_executable with LANGUAGE HIP for "
    "the .cu files, CMAKE_HIP_FLAGS in place of CUDA_NVCC_FLAGS, targets of ROCm's "
    "packages in place of CUDA_LIBRARIES.",
    evidence=(
        FIND_CUDA,
        ROCM_CMAKE,
    ),
    example=Example(
        cuda="find_package(CUDA REQUIRED)\n"
        "cuda_add_library(heat heat.cu)\n"
        "target_link_libraries(heat ${CUDA_LIBRARIES})\n",
        hip="enable_language(HIP)\n"
        "find_package(hip REQUIRED)\n"
        "set_source_files_properties(heat.cu PROPERTIES LANGUAGE HIP)\n"
        "add_library(heat heat.cu)\n"
        "target_link_libraries(heat hip::host)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
