"""Tensor maps and the copies that a tensor memory accelerator makes by them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.memory.sources import LIBHIPCXX
from migrate.rules.names import uses_like

_FAMILIES = (
    *("cuTensorMap", "CUtensorMap", "CU_TENSOR_MAP_", "cuda::device::experimental::"),
    *("cuda::ptx::cp_async_bulk", "cuda::ptx::tensormap_", "cuda::ptx::cp_reduce_async_bulk"),
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, frozenset(), *_FAMILIES):
        yield code.hit(use)


RULE = Rule(
    id="HA-K093",
    slug="tensor-map",
    title="Tensor maps and bulk tensor copies (TMA)",
    family=Family.MEMORY,
    tier=Tier.KERNEL,
    why="A tensor map describes a tensor to the copy engine of Hopper and later. HIP maps none of "
    "these names, AMD GPUs before gfx1250 have no such engine, and kernels built on it get their "
    "addresses, swizzle, bounds and barriers from it.",
    fix="Take the path of the code for older GPUs where there is one, or a library; else let the "
    "lanes of a block load the tile, with the bounds checked in code.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    evidence=(
        RuleEvidence(
            "HIPIFY: CUDA driver API, tensor map management, without a HIP column",
            "ROCm/HIPIFY:docs/tables/CUDA_Driver_API_functions_supported_by_HIP.md",
            RocmRelease(7, 2),
        ),
        LIBHIPCXX,
    ),
    example=Example(
        cuda="#include <cuda.h>\n"
        "void f(CUtensorMap* map, void* p, cuuint64_t* dim, cuuint64_t* pitch, cuuint32_t* box) {\n"
        "  cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, dim, pitch, box,\n"
        "    box,\n"
        "    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,\n"
        "    CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
        "}",
        hip="",
    ),
    driver=Driver.OF_NAME,
    check=_check,
)
