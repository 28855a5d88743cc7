"""The options of nvcc that choose language and standard in its own spelling."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, HIPCC


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "language")


RULE = Rule(
    id="HA-E041",
    slug="nvcc-language-option",
    title="Language chosen in nvcc's spelling",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="To clang the languages cu and cuda are NVIDIA's, for which it refuses a gfx target; and "
    "it wants -std= with an equals sign.",
    fix="Use -x hip, or let hipcc tell from the suffix (.cu, .cpp and .hip are HIP to "
    "it), and -std=c++17.",
    evidence=(
        CLANG_DRIVER,
        HIPCC,
    ),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) -x cu -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc -x hip -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
