"""The option of nvcc for fast arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, CLANG_MANUAL


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "fast-math")


RULE = Rule(
    id="HA-E031",
    slug="nvcc-fast-math",
    title="Fast arithmetic by an option of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses the option (with one dash it takes it for another, and warns). "
    "Its own -ffast-math reaches further: host code too, double precision, and no "
    "NaN or infinity is expected any more.",
    fix="Use -ffast-math where results allow it, or the single parts "
    "(-fgpu-flush-denormals-to-zero, -fno-hip-fp32-correctly-rounded-divide-sqrt, "
    "-ffp-contract=fast); compare results.",
    evidence=(
        CLANG_DRIVER,
        CLANG_MANUAL,
    ),
    example=Example(
        cuda="NVCC = nvcc\nheat.o: heat.cu\n\t$(NVCC) --use_fast_math -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc -ffast-math -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
