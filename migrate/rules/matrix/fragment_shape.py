"""A fragment of nvcuda::wmma with a tile that rocWMMA did not have before ROCm 7.0."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.matrix import MatrixProduct, matrix_answer
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import product_of
from migrate.rules.matrix.sources import ROCWMMA, ROCWMMA_CHANGES


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WMMA_FRAGMENT):
        product = product_of(mark)
        archs = _other_tile(product, code.target) if product and product.shape else ()
        if archs:
            yield code.hit(mark, archs=archs, confidence=Confidence.CERTAIN)


def _other_tile(product: MatrixProduct, target: Target) -> tuple[str, ...]:
    return tuple(gfx for gfx in target.archs if _differs(product, gfx, target.rocm))


def _differs(product: MatrixProduct, gfx: str, rocm: RocmRelease) -> bool:
    tile = matrix_answer(product, gfx, rocm).fragment
    if tile is None or product.shape is None:
        return False
    rows, columns, depth = product.shape
    return (rows, columns) != tile.shape[:2] or depth < tile.shape[2]


RULE = Rule(
    id="HA-K072",
    slug="wmma-tile",
    title="Fragment with a tile that rocWMMA lacks",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="rocWMMA before ROCm 7.0 multiplies square tiles of 16 or, on CDNA, of 32 rows, with a "
    "least depth by type and GPU. Tiles of 32x8x16, 8x32x16 or 8x8x4 do not compile; from "
    "7.0 they are padded to the next tile, which costs the padding.",
    fix="Lay the kernel out for tiles of 16x16 (or 32x32 on CDNA).",
    holds=Holds(until=RocmRelease(7, 0)),
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    evidence=(ROCWMMA, ROCWMMA_CHANGES),
    example=Example(
        cuda="#include <mma.h>\n"
        "using namespace nvcuda;\n"
        "__global__ void k() {\n"
        "  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> a;\n"
        "}",
        hip="#include <rocwmma/rocwmma.hpp>\n"
        "__global__ void k() {\n"
        "  rocwmma::fragment<rocwmma::matrix_a, 16, 16, 16, rocwmma::float16_t,\n"
        "                    rocwmma::row_major> a;\n"
        "}",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
