"""The options of nvcc that choose the runtime libraries."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, HIPCC


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "runtime")


RULE = Rule(
    id="HA-E042",
    slug="nvcc-runtime-option",
    title="Static or shared CUDA runtime by an option of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses the options; hipcc links the shared libamdhip64, and HIP has no "
    "device runtime.",
    fix="Leave the option out and see that the target machine has the runtime's library.",
    evidence=(
        CLANG_DRIVER,
        HIPCC,
    ),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) -cudart static -c heat.cu -o heat.o\n",
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
