"""The options of nvcc for relocatable device code and its linking."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, CLANG_HIP


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "rdc", "lto")


RULE = Rule(
    id="HA-E034",
    slug="nvcc-device-linking",
    title="Device code linked by options of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses -rdc, and only warns at -dc, -dlink and -dlto and then does "
    "something else: -dc alone compiles and links. Device code is linked in clang's "
    "own link step.",
    fix="Compile with -fgpu-rdc -c and link with -fgpu-rdc --hip-link; a device link "
    "step of its own goes.",
    evidence=(
        CLANG_DRIVER,
        CLANG_HIP,
    ),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) -rdc=true -dlto -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc -fgpu-rdc -foffload-lto -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
