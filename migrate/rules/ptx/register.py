"""A special register (%laneid, %smid, %globaltimer) read with inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import EXTENSIONS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.REGISTER)


RULE = Rule(
    id="HA-K051",
    slug="ptx-special-register",
    title="Special register read with inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="PTX does not assemble for AMD GPUs. HIP has a function or variable for most special "
    "registers; masks have 64 bits, and the numbers of units and clocks mean something "
    "else.",
    fix="Take what HIP has for the register, and look at what is done with the value.",
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
        EXTENSIONS,
    ),
    example=Example(
        cuda="__device__ unsigned f() {\n"
        "  unsigned sm;\n"
        '  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));\n'
        "  return sm;\n"
        "}",
        hip="__device__ unsigned f() { return __smid(); }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
