"""cp.async.bulk, tensormap and mbarrier: the pipeline of Hopper, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import AMDGPU_BUILTINS, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.BULK_COPY)


RULE = Rule(
    id="HA-K057",
    slug="ptx-bulk-copy",
    title="Tensor memory accelerator or mbarrier in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="Bulk copies, tensor maps and the barriers in shared memory that count their bytes are "
    "hardware of Hopper and later. AMD GPUs before gfx1250 have none of it: addresses, "
    "swizzle, pipeline and the split into producers and consumers are built on it.",
    fix="Plan the kernel anew for the target (each lane loads its part, __syncthreads or a "
    "counter in LDS), take the path of the code for older GPUs where there is one, or a "
    "library.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(
        NO_PTX,
        PTX_ISA,
        AMDGPU_BUILTINS,
    ),
    example=Example(
        cuda="__device__ void f(unsigned barrier, unsigned count) {\n"
        '  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), '
        '"r"(count));\n'
        "}",
        hip="",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
