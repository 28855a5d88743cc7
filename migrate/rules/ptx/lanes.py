"""Shuffles, votes, matches and reductions of a warp, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import EXTENSIONS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.LANES)


RULE = Rule(
    id="HA-K066",
    slug="ptx-warp",
    title="Warp function in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="shfl, vote, match, redux and elect are written for 32 lanes: masks and ballots of 32 "
    "bits, a clamp of 31, and at times the predicate that a shuffle hands back. HIP's "
    "functions take masks of 64 bits on every GPU, have a width in place of the clamp and "
    "hand back no predicate; CDNA has 64 lanes.",
    fix="Write HIP's function of the same name with the width that the clamp meant, a mask of "
    "64 bits and a comparison of lanes in place of the predicate.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(NO_PTX, PTX_ISA, EXTENSIONS),
    example=Example(
        cuda="__device__ int f(int v) {\n"
        "  int d;\n"
        '  asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=r"(d) : "r"(v));\n'
        "  return d;\n"
        "}",
        hip="__device__ int f(int v) { return __shfl_xor(v, 16, 32); }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
