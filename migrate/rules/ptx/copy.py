"""cp.async: copies to shared memory that bypass registers, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import AMDGPU_BUILTINS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.COPY)


RULE = Rule(
    id="HA-K056",
    slug="ptx-async-copy",
    title="Asynchronous copy to shared memory in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="cp.async copies to shared memory in the background, in groups that are waited for. AMD "
    "GPUs before gfx1250 have no counterpart with groups: gfx9 can load to LDS without "
    "registers, and its compiler overlaps loads that stand early.",
    fix="Load into registers, store to shared memory and call __syncthreads(); keep the double "
    "buffer, and measure before anything closer to the hardware.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
        AMDGPU_BUILTINS,
    ),
    example=Example(
        cuda="__device__ void f(unsigned to, const void* from) {\n"
        '  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), '
        '"l"(from));\n'
        "}",
        hip="__device__ void f(int4* to, const int4* from) { *to = *from; }",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
