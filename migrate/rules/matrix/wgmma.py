"""wgmma: matrix products of Hopper out of shared memory, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import matrix_blocks, nearest, products_of
from migrate.rules.matrix.sources import COMPOSABLE_KERNEL, INSTRUCTIONS
from migrate.rules.ptx.sources import NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    for block in matrix_blocks(code, "wgmma"):
        detail = nearest(products_of(block), code.target)
        yield code.hit(block.asm, detail=detail, confidence=Confidence.CERTAIN)


RULE = Rule(
    id="HA-K075",
    slug="ptx-wgmma",
    title="wgmma in inline PTX",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="wgmma multiplies for four warps at once, in the background, with operands that "
    "descriptors find in swizzled shared memory. On AMD GPUs each wavefront multiplies by "
    "itself, from registers, in order: tiles, shared memory layout and pipeline are another "
    "kernel.",
    fix="Write or take another kernel: the code's own path for Ampere as a start, Composable "
    "Kernel, hipBLASLt or Triton; or build without it.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(NO_PTX, INSTRUCTIONS, COMPOSABLE_KERNEL),
    example=Example(
        cuda='__device__ void f() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }',
        hip="",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
