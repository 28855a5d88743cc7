"""A Makefile or script that compiles with nvcc."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import HIPCC
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if code.facts.language is not Language.PYTHON:
        yield from hits(code, code.signals(Kind.NVCC))


RULE = Rule(
    id="HA-E015",
    slug="nvcc-command",
    title="nvcc called by a Makefile or a script",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="nvcc makes code for NVIDIA's GPUs alone. hipcc takes .cu files as HIP and adds "
    "HIP's headers and runtime; it hands its options to clang, which refuses most of "
    "nvcc's own.",
    fix="Let a variable hold the compiler, hipcc or amdclang++ -x hip for AMD, and give "
    "each compiler flags of its own.",
    evidence=(HIPCC,),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) -O3 -c heat.cu -o heat.o\n",
        hip="HIPCC = hipcc\nheat.o: heat.cpp\n\t$(HIPCC) -O3 -c heat.cpp -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
