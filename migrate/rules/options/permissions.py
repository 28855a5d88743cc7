"""The options of nvcc that allow constexpr functions and lambdas in device code."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "permission")


RULE = Rule(
    id="HA-E035",
    slug="nvcc-language-permission",
    title="Permissions of nvcc that clang needs no option for",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang takes constexpr functions and __device__ lambdas as they are, and refuses "
    "the options as unknown.",
    fix="Leave the options out for HIP.",
    evidence=(CLANG_DRIVER,),
    example=Example(
        cuda="NVCC = nvcc\n"
        "heat.o: heat.cu\n"
        "\t$(NVCC) --extended-lambda --expt-relaxed-constexpr -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc  -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
