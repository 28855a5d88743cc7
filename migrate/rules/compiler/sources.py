"""Where the facts of the rules on the compiler and its headers stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

VECTOR_TYPES = RuleEvidence(
    "HIP headers: operators of the vector types; code read with the headers of 6.4.3 and 7.2.4",
    "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_vector_types.h",
    RocmRelease(7, 2),
)
CLANG_MATH = RuleEvidence(
    "clang: its header of HIP's mathematical functions, with min and max templates for the device",
    "llvm/llvm-project:clang/lib/Headers/__clang_hip_math.h",
    RocmRelease(7, 2),
)
BIT_FUNCTIONS = RuleEvidence(
    "HIP headers: the overloads of __ffs and __ffsll",
    "ROCm/clr:hipamd/include/hip/amd_detail/amd_device_functions.h",
    RocmRelease(7, 2),
)
CLANG_HIP = RuleEvidence(
    "clang: HIP and CUDA support, host and device attributes of functions",
    "llvm/llvm-project:clang/docs/HIPSupport.rst",
    RocmRelease(7, 0),
)
CLANG_DIALECT = RuleEvidence(
    "clang: the rules of C++ that other compilers do not hold to",
    "https://clang.llvm.org/compatibility.html",
    RocmRelease(7, 0),
)
HIP_CHANGES = RuleEvidence(
    "HIP change log: 7.0 takes standard headers out of the HIP headers",
    "ROCm/rocm-systems:projects/clr/CHANGELOG.md",
    RocmRelease(7, 0),
)
