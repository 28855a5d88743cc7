"""CMake that has HIP as a language already."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import CMAKE_HIP
from migrate.rules.code import Code

_LANGUAGE = frozenset(
    {"enable_language(HIP)", "project(HIP)", "check_language(HIP)", "LANGUAGE HIP"}
)


def _check(code: Code) -> Iterator[Hit]:
    yield from hits(code, (one for one in code.signals(Kind.HIP) if one.value in _LANGUAGE))


RULE = Rule(
    id="HA-E024",
    slug="cmake-hip-language",
    title="Language HIP in CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The project's build knows HIP here: a port adds to what exists.",
    fix="Build this way first, and see how far it is kept up.",
    evidence=(CMAKE_HIP,),
    example=Example(
        cuda="enable_language(HIP)\n",
        hip="add_library(heat heat.cpp)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
    in_hip_code=True,
)
