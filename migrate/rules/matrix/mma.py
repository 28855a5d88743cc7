"""mma.sync and the loads and stores of its fragments, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import lacking, matrix_blocks, nearest, products_of
from migrate.rules.matrix.sources import INSTRUCTIONS, LAYOUTS, ROCWMMA
from migrate.rules.ptx.sources import NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    for block in matrix_blocks(code, "mma"):
        products = products_of(block)
        if not any(lacking(product, code.target) for product in products):
            detail = nearest(products, code.target)
            yield code.hit(block.asm, detail=detail, confidence=Confidence.CERTAIN)


RULE = Rule(
    id="HA-K073",
    slug="ptx-mma",
    title="mma.sync or ldmatrix in inline PTX",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="mma.sync fixes the tile and which lane holds which element; ldmatrix, stmatrix and "
    "movmatrix move data into that layout. MFMA (CDNA, 64 lanes) and WMMA (RDNA, 32 lanes) "
    "have other tiles and other layouts in each generation: loads, index arithmetic and "
    "epilogue are built anew, once for each family of GPUs.",
    fix="Choose before estimating: rewrite with rocWMMA or builtins for each family, call a "
    "library (hipBLASLt, Composable Kernel), or build without the kernel where another path "
    "exists.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(NO_PTX, INSTRUCTIONS, LAYOUTS, ROCWMMA),
    example=Example(
        cuda="__device__ void f(float* d, const unsigned* a, const unsigned* b) {\n"
        '  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "\n'
        '               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"\n'
        '               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])\n'
        '               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));\n'
        "}",
        hip="typedef float f4 __attribute__((ext_vector_type(4)));\n"
        "typedef _Float16 h4 __attribute__((ext_vector_type(4)));\n"
        "__device__ f4 f(h4 a, h4 b, f4 c) {\n"
        "  return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);\n"
        "}",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
