"""CMake's generator expressions that hold for CUDA sources."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.sources import CMAKE_EXPRESSIONS
from migrate.rules.code import Code

_LANGUAGES = ("COMPILE_LANGUAGE:", "LINK_LANGUAGE:")


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.CUDA_CONDITION):
        if signal.value.startswith(_LANGUAGES):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E012",
    slug="cmake-cuda-expression",
    title="Generator expressions for the language CUDA",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The expression is empty for the sources of the language HIP: what stands in it "
    "does not reach them.",
    fix="Ask for HIP too, COMPILE_LANGUAGE:CUDA,HIP for what both take, or write a twin "
    "for HIP with clang's flags.",
    evidence=(CMAKE_EXPRESSIONS,),
    example=Example(
        cuda="target_compile_definitions(heat PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:HEAT_GPU>)\n",
        hip="target_compile_definitions(heat PRIVATE $<$<COMPILE_LANGUAGE:CUDA,HIP>:HEAT_GPU>)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
