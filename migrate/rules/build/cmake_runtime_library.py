"""CMake's choice between the static and the shared CUDA runtime."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_PROPERTIES, ROCM_CMAKE
from migrate.rules.code import Code

_NAMES = re.compile(r"(?:CMAKE_)?CUDA_RUNTIME_LIBRARY|CUDA_USE_STATIC_CUDA_RUNTIME")


def _check(code: Code) -> Iterator[Hit]:
    found = [one for one in code.signals(Kind.CUDA_VARIABLE) if _NAMES.fullmatch(one.value)]
    yield from hits(code, found, named=True)


RULE = Rule(
    id="HA-E010",
    slug="cmake-cuda-runtime-library",
    title="Static or shared CUDA runtime chosen in CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="CMake links CUDA's runtime statically unless told otherwise; ROCm installs "
    "libamdhip64 as a shared library, which is then needed where the program runs.",
    fix="Leave the setting out for HIP and see that the target machine has the runtime's library.",
    evidence=(
        CMAKE_PROPERTIES,
        ROCM_CMAKE,
    ),
    example=Example(
        cuda="set(CMAKE_CUDA_RUNTIME_LIBRARY Static)\n",
        hip="find_package(hip REQUIRED)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
