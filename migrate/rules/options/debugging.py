"""The options of nvcc for debugging and line information."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, CLANG_OPTIONS


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "debug")


RULE = Rule(
    id="HA-E037",
    slug="nvcc-debug-option",
    title="Debugging information by options of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses -G and -src-in-ptx; -lineinfo it takes for a library named "
    "ineinfo that the linker does not find.",
    fix="Use -gline-tables-only for -lineinfo and -g, with -O0 where wanted, for -G.",
    evidence=(
        CLANG_DRIVER,
        CLANG_OPTIONS,
    ),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) -lineinfo -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc -gline-tables-only -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
