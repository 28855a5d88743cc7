"""The option of nvcc that limits the registers of every kernel."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, LAUNCH_BOUNDS


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "registers")


RULE = Rule(
    id="HA-E033",
    slug="nvcc-register-limit",
    title="Registers limited by an option of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang has no limit of this kind: it refuses the option, and the number was "
    "chosen for NVIDIA's register file.",
    fix="Leave the option out; where registers decide, say it at the kernel with "
    "__launch_bounds__, or for all with --gpu-max-threads-per-block=.",
    evidence=(
        CLANG_DRIVER,
        LAUNCH_BOUNDS,
    ),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) --maxrregcount=64 -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc  -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
