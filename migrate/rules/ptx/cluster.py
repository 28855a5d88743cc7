"""Clusters of blocks, shared memory of another block and multimem, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import AMDGPU_BUILTINS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.CLUSTER)


RULE = Rule(
    id="HA-K058",
    slug="ptx-cluster",
    title="Block clusters or multicast in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="Blocks of a cluster reach each other over shared memory and barriers, multimem reduces "
    "in the NVLink switch. No AMD GPU reaches the shared memory of another block, none "
    "before gfx1250 has clusters, and there is no such switch.",
    fix="Exchange through global memory in two kernels or a cooperative launch; for reductions "
    "between GPUs, RCCL or a loop over the peers.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(
        NO_PTX,
        PTX_ISA,
        AMDGPU_BUILTINS,
    ),
    example=Example(
        cuda='__device__ void f() { asm volatile("barrier.cluster.arrive.aligned;"); }',
        hip="",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
