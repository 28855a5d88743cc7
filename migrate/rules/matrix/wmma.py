"""Tensor cores through the C++ interface nvcuda::wmma."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.matrix import MatrixProduct
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.products import product_of, tiles
from migrate.rules.matrix.sources import ROCWMMA, ROCWMMA_CHANGES


def _check(code: Code) -> Iterator[Hit]:
    details = _details(code)
    names = [name for name in code.symbols if name.startswith("nvcuda::")]
    for use in code.uses(*names):
        detail = details.get(use.function, "")
        yield code.hit(use, detail=detail, confidence=Confidence.CERTAIN)


def _details(code: Code) -> dict[str, str]:
    """For each function, which tiles of rocWMMA its fragments become."""
    products: dict[str, dict[MatrixProduct, None]] = {}
    for mark in code.marks(MarkKind.WMMA_FRAGMENT):
        product = product_of(mark)
        if product:
            products.setdefault(mark.function, {})[product] = None
    return {function: tiles(some, code.target) for function, some in products.items()}


RULE = Rule(
    id="HA-K070",
    slug="wmma-fragments",
    title="Tensor cores through nvcuda::wmma",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="mma.h has no counterpart under its name. rocWMMA is another library with close names: "
    "its tiles and types differ by GPU, elements lie otherwise in a fragment, a wavefront "
    "has 64 lanes on CDNA, and it is not built for GPUs without matrix cores.",
    fix="Port the kernel to rocWMMA where its types and tiles exist, and check every access to "
    "fragment.x. The planner's other choices are a library call (hipBLASLt, Composable "
    "Kernel) or the path without tensor cores, if there is one; they differ by an order of "
    "magnitude.",
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    evidence=(ROCWMMA, ROCWMMA_CHANGES),
    example=Example(
        cuda="#include <mma.h>\n"
        "__global__ void k() {\n"
        "  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;\n"
        "  nvcuda::wmma::fill_fragment(c, 0.0f);\n"
        "}",
        hip="#include <rocwmma/rocwmma.hpp>\n"
        "__global__ void k() {\n"
        "  rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, float> c;\n"
        "  rocwmma::fill_fragment(c, 0.0f);\n"
        "}",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
