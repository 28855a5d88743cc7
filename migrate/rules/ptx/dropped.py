"""Hints, policies and dependencies of launches in inline PTX, which have no counterpart."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.DROPPED)


RULE = Rule(
    id="HA-K061",
    slug="ptx-without-counterpart",
    title="Inline PTX that simply goes",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="PTX does not assemble for AMD GPUs. What these instructions do (prefetches, cache "
    "policies, overlap of dependent launches, registers handed between warps) has no "
    "counterpart, and results do not depend on it.",
    fix="Leave the statement out for AMD GPUs; measure where it was there for speed.",
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
    ),
    example=Example(
        cuda='__device__ void f(const void* p) { asm volatile("prefetch.global.L2 [%0];" '
        '::"l"(p)); }',
        hip="__device__ void f(const void* p) { __builtin_prefetch(p); }",
    ),
    driver=Driver.NONE,
    check=_check,
)
