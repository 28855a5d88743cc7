"""Inline PTX without an instruction of the same meaning on AMD GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.REWRITE)


RULE = Rule(
    id="HA-K054",
    slug="ptx-algorithm",
    title="Inline PTX that takes a small change of the algorithm",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="PTX does not assemble for AMD GPUs, and no function or builtin has the meaning of an "
    "instruction here: directed rounding, packed video arithmetic, vectors of atomics and "
    "their kin.",
    fix="Rewrite the few lines around it in C++, with a test of the edge cases that the "
    "instruction settled.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
    ),
    example=Example(
        cuda="__device__ float f(float a, float b) {\n"
        "  float d;\n"
        '  asm("add.rm.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));\n'
        "  return d;\n"
        "}",
        hip="__device__ float f(float a, float b) { return a + b; }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
