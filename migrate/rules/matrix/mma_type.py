"""A matrix product in inline PTX of a type that the target does not multiply."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import lacking, matrix_blocks, nearest, products_of
from migrate.rules.matrix.sources import INSTRUCTIONS
from migrate.rules.ptx.sources import NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    for block in matrix_blocks(code, "mma"):
        products = products_of(block)
        without = [gfx for product in products for gfx in lacking(product, code.target)]
        archs = tuple(gfx for gfx in code.target.archs if gfx in without)
        if archs:
            yield code.hit(
                block.asm,
                detail=nearest(products, code.target),
                archs=archs,
                confidence=Confidence.CERTAIN,
            )


RULE = Rule(
    id="HA-K074",
    slug="ptx-mma-type-missing",
    title="mma.sync of a type that the target does not multiply",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="No AMD GPU multiplies 1-bit numbers, only gfx942 TF32, only RDNA 3 and 4 four-bit "
    "integers, only CDNA 2 and later FP64, only gfx942 and later FP8; gfx90x without matrix "
    "cores and RDNA 2 multiply nothing. Another layout does not help here: the type has to "
    "change.",
    fix="Change the type (and check the accuracy), expand packed numbers first, or leave the "
    "kernel out on these GPUs.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(NO_PTX, INSTRUCTIONS),
    example=Example(
        cuda="__device__ void f(int* d, const unsigned* a, const unsigned* b) {\n"
        '  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc "\n'
        '               "{%0,%1}, {%2}, {%3}, {%0,%1};"\n'
        '               : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b[0]));\n'
        "}",
        hip="__device__ int f(unsigned a, unsigned b, int d) { return d + __popc(a ^ b); }",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
