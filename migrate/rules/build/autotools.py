"""A configure script's source or an m4 macro that looks for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import builds_with, listed
from migrate.rules.build.sources import HIPCC
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if not builds_with(code, "autotools"):
        return
    found = [(signal, _macro(signal.value)) for signal in code.signals(Kind.CUDA_RULE)]
    detail = f"Here: {listed(macro for _, macro in found)}."
    for signal, macro in found:
        yield code.hit(signal, symbol=macro, detail=detail)


def _macro(said: str) -> str:
    """A macro with its first argument, as it is spoken of: ``AC_CHECK_LIB(cudart)``."""
    name, opened, argument = said.partition("(")
    return f"{name}({argument.lstrip(' [')})" if opened else name


RULE = Rule(
    id="HA-E016",
    slug="autotools-cuda",
    title="CUDA found by configure",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The macros look for nvcc, NVIDIA's headers and libraries in the toolkit's "
    "folders, and stop or switch the GPU off where ROCm is installed instead.",
    fix="Add a switch for HIP beside it that looks for hipcc, hip/hip_runtime.h and "
    "libamdhip64 under ROCM_PATH (/opt/rocm), and rules that compile with hipcc.",
    evidence=(HIPCC,),
    example=Example(
        cuda="AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda=DIR], [CUDA])])\n"
        "AC_PATH_PROG([NVCC], [nvcc])\n",
        hip="AC_ARG_WITH([rocm], [AS_HELP_STRING([--with-rocm=DIR], [ROCm])])\n"
        "AC_PATH_PROG([HIPCC], [hipcc])\n",
        name="configure.ac",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
