"""Inline assembly whose instruction macros hide, or that no table has."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.UNKNOWN)


RULE = Rule(
    id="HA-K060",
    slug="ptx-unknown",
    title="Inline assembly with an instruction that is not known",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="The instruction stands in a macro of another file, is put together from parts, or is "
    "none of the PTX that the tables know: what it asks for cannot be told.",
    fix="Look at what the statement does, and write that in C++ or with a builtin of the compiler.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
    ),
    example=Example(
        cuda="__device__ void f(unsigned long long x, void* p) {\n"
        '  asm volatile(LOAD ".u64 %0, [%1];" : "=l"(x) : "l"(p));\n'
        "}",
        hip="",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
