"""Additions and multiplications that hand a carry on, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import CARRY_ISSUE, CLANG, NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.CARRY)


RULE = Rule(
    id="HA-K053",
    slug="ptx-carry-chain",
    title="Carry chain in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="The carry flag of PTX lives from one instruction to the next, at times across asm "
    "statements. Neither C++ nor AMD assembly with the same operands has it: the chain is "
    "an algorithm to rewrite, not an instruction to replace.",
    fix="Rewrite the chain as a whole with wider integers (unsigned long long, unsigned "
    "__int128) or __builtin_addc and __builtin_subc, and test it against known products.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(
        NO_PTX,
        CARRY_ISSUE,
        CLANG,
    ),
    example=Example(
        cuda="__device__ void f(unsigned* r, unsigned a, unsigned b, unsigned c, unsigned d) "
        "{\n"
        '  asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;"\n'
        '      : "=r"(r[0]), "=r"(r[1]) : "r"(a), "r"(b), "r"(c), "r"(d));\n'
        "}",
        hip="__device__ unsigned long long f(unsigned long long a, unsigned long long b) { "
        "return a + b; }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
