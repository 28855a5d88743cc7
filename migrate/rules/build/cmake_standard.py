"""CMake's variables, properties and features for the standard of CUDA code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_STANDARD
from migrate.rules.code import Code

_NAMES = re.compile(
    r"(?:CMAKE_)?CUDA_(?:STANDARD(?:_REQUIRED|_DEFAULT)?|EXTENSIONS(?:_DEFAULT)?)"
    r"|CMAKE_CUDA_COMPILE_FEATURES|cuda_std_\d\d"
)


def _check(code: Code) -> Iterator[Hit]:
    found = [one for one in code.signals(Kind.CUDA_VARIABLE) if _NAMES.fullmatch(one.value)]
    yield from hits(code, found, named=True)


RULE = Rule(
    id="HA-E011",
    slug="cmake-cuda-standard",
    title="C++ standard of CUDA set in CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The language HIP has variables, properties and features of its own; without "
    "them its standard is the compiler's default.",
    fix="Set CMAKE_HIP_STANDARD, HIP_STANDARD or the feature hip_std_17 beside or in "
    "place of CUDA's.",
    evidence=(CMAKE_STANDARD,),
    example=Example(
        cuda="set(CMAKE_CUDA_STANDARD 17)\n",
        hip="set(CMAKE_HIP_STANDARD 17)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
