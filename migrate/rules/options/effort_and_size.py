"""The options of nvcc for parallel work, compression, kept files and resource figures."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, CLANG_OPTIONS


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "speed")


RULE = Rule(
    id="HA-E040",
    slug="nvcc-build-option",
    title="Build time, size and kept files by options of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses the options. It compiles one target after the other, compresses "
    "with --offload-compress, keeps files with -save-temps and tells registers as "
    "remarks.",
    fix="Leave --threads and -split-compile out, and use clang's option for the rest where wanted.",
    evidence=(
        CLANG_DRIVER,
        CLANG_OPTIONS,
    ),
    example=Example(
        cuda="NVCC = nvcc\n"
        "heat.o: heat.cu\n"
        "\t$(NVCC) --threads 4 -Xfatbin -compress-all -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc --offload-compress -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
