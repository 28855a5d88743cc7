"""Where the facts of the rules on types and arithmetic stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

FP8 = RuleEvidence(
    "HIP documentation: FP8 numbers, which GPU computes which format",
    "https://rocm.docs.amd.com/projects/HIP/en/docs-6.3.3/reference/fp8_numbers.html",
    RocmRelease(6, 3),
)
HALF = RuleEvidence(
    "HIP headers: assignment to __half and __half2; code read with those of 6.4.3 and 7.2.4",
    "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_fp16.h",
    RocmRelease(7, 2),
)
LOADS = RuleEvidence(
    "HIP headers: the types that __ldg loads",
    "ROCm/clr:hipamd/include/hip/amd_detail/hip_ldg.h",
    RocmRelease(7, 2),
)
DEVICE_TABLE = RuleEvidence(
    "HIPIFY: CUDA device functions that HIP supports",
    "ROCm/HIPIFY:docs/reference/tables/CUDA_Device_API_supported_by_HIP.md",
    RocmRelease(7, 2),
)
CLANG_MATH = RuleEvidence(
    "clang: HIP's mathematical functions; the directed forms only with OCML's rounded operations",
    "llvm/llvm-project:clang/lib/Headers/__clang_hip_math.h",
    RocmRelease(7, 2),
)
DOT_BUILTINS = RuleEvidence(
    "LLVM: which GPU has the dot products of sdot4 (dot1-insts) and sudot4 (dot8-insts)",
    "llvm/llvm-project:llvm/lib/TargetParser/TargetParser.cpp",
    RocmRelease(7, 0),
)
GGML_DOT = RuleEvidence(
    "ggml: __dp4a written per GPU",
    "ggml-org/ggml:src/ggml-cuda/common.cuh",
    RocmRelease(6, 2),
)
