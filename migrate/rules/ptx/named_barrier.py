"""Named barriers and arrivals without waiting, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import NAMED_BARRIERS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.NAMED_BARRIER)


RULE = Rule(
    id="HA-K059",
    slug="ptx-named-barrier",
    title="Barrier of a part of the block in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="A named barrier joins some warps of a block, and bar.arrive does not wait: producers "
    "and consumers are built on them. AMD GPUs before gfx1250 have one barrier a workgroup, "
    "which every wavefront must reach.",
    fix="Where all threads of the block take part, write __syncthreads(). Else let all "
    "wavefronts do the same work, or hand over with counters in LDS.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(
        NO_PTX,
        PTX_ISA,
        NAMED_BARRIERS,
    ),
    example=Example(
        cuda="__device__ void f(int id, int count) {\n"
        '  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count));\n'
        "}",
        hip="__device__ void f() { __syncthreads(); }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
