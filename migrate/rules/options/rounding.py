"""The options of nvcc for subnormals, division, square root and fused multiply-add."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, CLANG_OPTIONS


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "rounding")


RULE = Rule(
    id="HA-E032",
    slug="nvcc-rounding-option",
    title="Rounding and subnormals chosen by options of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses the options; it has one for subnormals, one for single-precision "
    "division and square root together, and -ffp-contract for fused multiply-add.",
    fix="Take clang's option for each, and compare results: division and square root "
    "cannot be set apart.",
    evidence=(
        CLANG_DRIVER,
        CLANG_OPTIONS,
    ),
    example=Example(
        cuda="NVCC = nvcc\n"
        "heat.o: heat.cu\n"
        "\t$(NVCC) -ftz=true -prec-div=false -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n"
        "\thipcc -fgpu-flush-denormals-to-zero "
        "-fno-hip-fp32-correctly-rounded-divide-sqrt -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
