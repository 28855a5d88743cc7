"""A matrix product of cuBLAS whose compute type is a data type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code

_CALLS = {
    "cublasGemmEx": 19,
    "cublasGemmEx_64": 19,
    "cublasGemmBatchedEx": 20,
    "cublasGemmBatchedEx_64": 20,
    "cublasGemmStridedBatchedEx": 23,
    "cublasGemmStridedBatchedEx_64": 23,
}
"""The calls that take a compute type before the algorithm, by their number of arguments."""
_DATA_TYPE = re.compile(r"\bCUDA_[RC]_\d+[A-Z]+\w*")


def _check(code: Code) -> Iterator[Hit]:
    for name, count in _CALLS.items():
        for call in code.calls(name):
            if len(call.arguments) == count and _DATA_TYPE.search(call.arguments[-2]):
                yield code.hit(call)


RULE = Rule(
    id="HA-I031",
    slug="gemm-compute-type",
    title="Compute type of a matrix product given as a data type",
    family=Family.RUNTIME,
    tier=Tier.INTERFACE,
    why="From ROCm 7.0 hipBLAS takes hipblasComputeType_t alone here. cuBLAS still has the "
    "overload of CUDA 10 that takes a cudaDataType; renamed, the call does not compile.",
    fix="Give the compute type by its name: HIPBLAS_COMPUTE_32F for CUDA_R_32F, "
    "HIPBLAS_COMPUTE_32I for CUDA_R_32I.",
    holds=Holds(since=RocmRelease(7, 0)),
    evidence=(
        RuleEvidence(
            "hipBLAS: deprecations, hipblasDatatype_t",
            "https://rocm.docs.amd.com/projects/hipBLAS/en/develop/_sources/reference/deprecation.rst",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="#include <cublas_v2.h>\nvoid f(cublasHandle_t h, int n, void* x, void* one) {\n"
        "  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, x, CUDA_R_16F, n,\n"
        "               x, CUDA_R_16F, n, one, x, CUDA_R_16F, n, CUDA_R_32F,\n"
        "               CUBLAS_GEMM_DEFAULT);\n}\n",
        hip="#include <cublas_v2.h>\nvoid f(cublasHandle_t h, int n, void* x, void* one) {\n"
        "  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, x, CUDA_R_16F, n,\n"
        "               x, CUDA_R_16F, n, one, x, CUDA_R_16F, n, CUBLAS_COMPUTE_32F,\n"
        "               CUBLAS_GEMM_DEFAULT);\n}\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    confidence=Confidence.CERTAIN,
    check=_check,
)
