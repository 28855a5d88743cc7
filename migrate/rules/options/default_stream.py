"""The option of nvcc that gives each thread a default stream."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, PER_THREAD


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "stream")


RULE = Rule(
    id="HA-E038",
    slug="nvcc-default-stream",
    title="Default stream chosen by an option of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses nvcc's spelling and has its own for the same meaning; without it "
    "all threads share the legacy default stream.",
    fix="Use -fgpu-default-stream=per-thread for every file.",
    evidence=(
        CLANG_DRIVER,
        PER_THREAD,
    ),
    example=Example(
        cuda="NVCC = nvcc\n"
        "heat.o: heat.cu\n"
        "\t$(NVCC) --default-stream per-thread -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc -fgpu-default-stream=per-thread -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
