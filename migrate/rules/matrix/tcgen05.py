"""tcgen05: matrix products of Blackwell in tensor memory, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import matrix_blocks, nearest, products_of
from migrate.rules.matrix.sources import COMPOSABLE_KERNEL, INSTRUCTIONS
from migrate.rules.ptx.sources import NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    for block in matrix_blocks(code, "tcgen05"):
        detail = nearest(products_of(block), code.target)
        yield code.hit(block.asm, detail=detail, confidence=Confidence.CERTAIN)


RULE = Rule(
    id="HA-K076",
    slug="ptx-tcgen05",
    title="tcgen05 in inline PTX",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="One thread starts the product of a whole block or of two, sums live in tensor memory, "
    "which is allocated, copied and waited for. AMD GPUs have neither: each wavefront "
    "multiplies by itself and sums in registers.",
    fix="Write or take another kernel: the code's own path for older GPUs as a start, "
    "Composable Kernel, hipBLASLt or Triton; or build without it.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(NO_PTX, INSTRUCTIONS, COMPOSABLE_KERNEL),
    example=Example(
        cuda="__device__ void f() {\n"
        '  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");\n'
        "}",
        hip="",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
