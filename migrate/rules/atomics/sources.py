"""Where the facts of the rules on atomics stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

HEADER = RuleEvidence(
    "HIP headers: the atomic functions and their types",
    "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_atomic.h",
    RocmRelease(6, 2),
)
OPERATIONS = RuleEvidence(
    "ROCm documentation: atomics by GPU, memory and scope",
    "https://rocm.docs.amd.com/en/latest/reference/gpu-atomics-operation.html",
    RocmRelease(7, 2),
)
EXTENSIONS = RuleEvidence(
    "HIP C++ language extensions: atomic functions, unsafe floating-point atomics",
    "ROCm/rocm-systems:projects/hip/docs/how-to/hip_cpp_language_extensions.rst",
    RocmRelease(7, 2),
)
