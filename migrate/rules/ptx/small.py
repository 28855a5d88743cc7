"""Inline PTX whose instructions are operators of C++ or functions of HIP."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.SMALL)


RULE = Rule(
    id="HA-K050",
    slug="ptx-operators",
    title="Inline PTX that operators or HIP functions write",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="PTX does not assemble for AMD GPUs. Every instruction here is an operator of C++ or a "
    "function of HIP with the same meaning.",
    fix="Write the statement as C++; keep the PTX in the CUDA branch where both are built.",
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
    ),
    example=Example(
        cuda="__device__ unsigned f(unsigned a, unsigned b) {\n"
        "  unsigned d;\n"
        '  asm("lop3.b32 %0, %1, %2, %2, 0xc0;" : "=r"(d) : "r"(a), "r"(b));\n'
        "  return d;\n"
        "}",
        hip="__device__ unsigned f(unsigned a, unsigned b) { return a & b; }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
