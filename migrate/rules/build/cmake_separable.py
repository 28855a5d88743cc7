"""CMake's properties that compile and link device code separately."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CLANG_HIP, CMAKE_PROPERTIES
from migrate.rules.code import Code

_NAMES = re.compile(r"(?:CMAKE_)?CUDA_(?:SEPARABLE_COMPILATION|RESOLVE_DEVICE_SYMBOLS)")


def _check(code: Code) -> Iterator[Hit]:
    found = [one for one in code.signals(Kind.CUDA_VARIABLE) if _NAMES.fullmatch(one.value)]
    yield from hits(code, found, named=True)


RULE = Rule(
    id="HA-E008",
    slug="cmake-separable-compilation",
    title="Device code linked by CMake's CUDA properties",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="HIP has no such property in CMake: without further flags each file's device "
    "code stands for itself, and a device function in another file is not found.",
    fix="Compile with -fgpu-rdc and link with -fgpu-rdc --hip-link, or have device "
    "functions in the file that calls them; where it was set only in case, leave it "
    "out.",
    evidence=(
        CLANG_HIP,
        CMAKE_PROPERTIES,
    ),
    example=Example(
        cuda="set_target_properties(heat PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n",
        hip="target_compile_options(heat PRIVATE -fgpu-rdc)\n"
        "target_link_options(heat PRIVATE -fgpu-rdc --hip-link)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
