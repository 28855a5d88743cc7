"""Products of half or bfloat16 numbers on MI200, whose matrix cores flush subnormals."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.matrix import MatrixProduct
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, Trait
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import matrix_blocks, product_of, products_of
from migrate.rules.matrix.sources import MI200_SUBNORMALS

_FLUSHED = frozenset({"f16", "bf16"})


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WMMA_FRAGMENT):
        if _is_flushed(product_of(mark)):
            yield code.hit(mark)
    for block in matrix_blocks(code, "mma"):
        if any(map(_is_flushed, products_of(block))):
            yield code.hit(block.asm)


def _is_flushed(product: MatrixProduct | None) -> bool:
    return product is not None and product.input in _FLUSHED


RULE = Rule(
    id="HA-K079",
    slug="half-subnormals",
    title="Matrix product of half numbers on MI200",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="The matrix cores of gfx90a take subnormal half and bfloat16 inputs, and results, for "
    "zero, whatever the compiler's flags say. Gradients of half precision training are that "
    "small: training may stop converging, inference is seldom touched.",
    fix="Scale the loss, or keep what is small in FP32 or, for half, go through bfloat16 as "
    "MIOpen's alternate implementation does; test with small numbers.",
    holds=Holds(traits=(Trait.FLUSHES_HALF_PRODUCTS,)),
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    evidence=(MI200_SUBNORMALS,),
    example=Example(
        cuda="#include <mma.h>\n"
        "__global__ void k() {\n"
        "  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half,\n"
        "                         nvcuda::wmma::row_major> a;\n"
        "}",
        hip="",
    ),
    driver=Driver.NONE,
    check=_check,
)
