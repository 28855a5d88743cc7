"""Kernels made of CUTLASS or CuTe templates."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.sources import COMPOSABLE_KERNEL

_NAMESPACES = ("cutlass::", "cute::")


def _check(code: Code) -> Iterator[Hit]:
    names = [name for name in code.symbols if name.startswith(_NAMESPACES)]
    for use in code.uses(*names):
        yield code.hit(use, confidence=Confidence.CERTAIN)


RULE = Rule(
    id="HA-K077",
    slug="cutlass-templates",
    title="CUTLASS or CuTe templates",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="CUTLASS and CuTe compile to PTX of NVIDIA's matrix cores and have no port. Composable "
    "Kernel and CK Tile do the same job with other templates, other tiles and no source "
    "compatibility: what is built from these templates is chosen and written anew.",
    fix="Choose for each kernel of the file: a library call (hipBLASLt, MIOpen), an instance of "
    "Composable Kernel, Triton, or leaving it out of the ROCm build. The choice decides the "
    "cost.",
    verdict=Verdict.REPLACED,
    severity=Severity.BLOCKER,
    evidence=(COMPOSABLE_KERNEL,),
    example=Example(
        cuda="#include <cutlass/gemm/device/gemm.h>\n"
        "using Gemm = cutlass::gemm::device::Gemm<float, cutlass::layout::RowMajor, float,\n"
        "                                         cutlass::layout::RowMajor, float,\n"
        "                                         cutlass::layout::RowMajor>;",
        hip="",
    ),
    driver=Driver.OF_NAME,
    per_file=True,
    check=_check,
)
