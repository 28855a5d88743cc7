"""The options of nvcc for the host compiler, ptxas and the front end."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "pass")


RULE = Rule(
    id="HA-E036",
    slug="nvcc-passed-options",
    title="Options that nvcc passes on to other programs",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="With clang there is no host compiler, no ptxas and no cudafe behind the driver. "
    "It refuses the options; only -Xcompiler, with its value as the next word, draws "
    "no more than a warning.",
    fix="Give what was meant for the host compiler directly, and leave out what was for "
    "ptxas, cudafe and nvlink; warnings are clang's -W options.",
    evidence=(CLANG_DRIVER,),
    example=Example(
        cuda="NVCC = nvcc\n"
        "heat.o: heat.cu\n"
        "\t$(NVCC) -Xcompiler -fPIC -Xptxas -v -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc -fPIC -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
