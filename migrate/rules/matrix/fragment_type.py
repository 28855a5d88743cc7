"""A fragment of nvcuda::wmma whose type rocWMMA does not have on the target."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.matrix import MatrixProduct, matrix_answer
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.target import Target
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import nearest, product_of
from migrate.rules.matrix.sources import INSTRUCTIONS, ROCWMMA


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WMMA_FRAGMENT):
        product = product_of(mark)
        archs = _without(product, code.target) if product else ()
        if product and archs:
            detail = nearest([MatrixProduct(product.input)], code.target)
            yield code.hit(mark, detail=detail, archs=archs, confidence=Confidence.CERTAIN)


def _without(product: MatrixProduct, target: Target) -> tuple[str, ...]:
    return tuple(
        gfx for gfx in target.archs if matrix_answer(product, gfx, target.rocm).fragment is None
    )


RULE = Rule(
    id="HA-K071",
    slug="wmma-type-missing",
    title="Fragment of a type that rocWMMA lacks here",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="rocWMMA multiplies TF32 on gfx942 only, FP64 and FP32 on CDNA only, FP8 on gfx942 and "
    "later, and neither 4-bit nor 1-bit numbers; on GPUs without matrix cores it multiplies "
    "nothing. The fragment does not compile for the target.",
    fix="Choose a type that the target multiplies and check the accuracy, use a builtin of the "
    "compiler where the GPU has the type and rocWMMA does not, or leave the kernel out.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(ROCWMMA, INSTRUCTIONS),
    example=Example(
        cuda="#include <mma.h>\n"
        "using namespace nvcuda;\n"
        "__global__ void k() {\n"
        "  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1,\n"
        "                 wmma::row_major> a;\n"
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
