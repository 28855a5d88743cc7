"""Inline PTX whose instructions are builtins of the AMD compiler."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import AMDGPU_BUILTINS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.BUILTIN)


RULE = Rule(
    id="HA-K052",
    slug="ptx-builtin",
    title="Inline PTX that a builtin of the compiler writes",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="PTX does not assemble for AMD GPUs. A builtin of the compiler does the job, with other "
    "arguments, other limits or on some GPUs only.",
    fix="Write the builtin, chosen by GPU where not all have it, and compare results.",
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
        AMDGPU_BUILTINS,
    ),
    example=Example(
        cuda="__device__ int f(int a, int b, int c) {\n"
        "  int d;\n"
        '  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));\n'
        "  return d;\n"
        "}",
        hip="__device__ int f(int a, int b, int c) { return __builtin_amdgcn_sdot4(a, b, c, "
        "false); }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
