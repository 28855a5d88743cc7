"""CMake's variables for the compiler of CUDA and its flags."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_FLAGS, ROCM_CMAKE
from migrate.rules.code import Code

_NAMES = re.compile(
    r"CMAKE_CUDA_(?:FLAGS\w*|COMPILER|HOST_COMPILER|COMPILER_LAUNCHER|VISIBILITY_PRESET"
    r"|COMPILE_OBJECT|HOST_LINK_LAUNCHER|COMPILER_LOADED|IMPLICIT_\w+|SOURCE_FILE_EXTENSIONS)"
)


def _check(code: Code) -> Iterator[Hit]:
    found = [one for one in code.signals(Kind.CUDA_VARIABLE) if _NAMES.fullmatch(one.value)]
    yield from hits(code, found, named=True)


RULE = Rule(
    id="HA-E007",
    slug="cmake-cuda-flags",
    title="Compiler and flags of CMake's language CUDA",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="What they hold goes to nvcc alone. HIP has variables of its own, and clang "
    "compiles host and device code, so that there is no host compiler to choose.",
    fix="Use CMAKE_HIP_FLAGS, CMAKE_HIP_COMPILER (clang, not hipcc) and "
    "CMAKE_HIP_COMPILER_LAUNCHER; the flags themselves need clang's spelling; "
    "CMAKE_CUDA_HOST_COMPILER has nothing to become.",
    evidence=(
        CMAKE_FLAGS,
        ROCM_CMAKE,
    ),
    example=Example(
        cuda='set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O3")\n',
        hip='set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3")\n',
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
