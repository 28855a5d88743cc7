"""Where the facts of the memory rules stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

UNIFIED_MEMORY = RuleEvidence(
    "HIP documentation: unified memory management, allocation behaviour with and without XNACK",
    "ROCm/rocm-systems:projects/hip/docs/how-to/hip_runtime_api/memory_management/unified_memory.rst",
    RocmRelease(7, 2),
)
COHERENCE = RuleEvidence(
    "HIP documentation: coherence control",
    "https://rocm.docs.amd.com/projects/HIP/en/docs-7.2.2/how-to/hip_runtime_api/memory_management/"
    "coherence_control.html",
    RocmRelease(7, 2),
)
LIBHIPCXX = RuleEvidence(
    "libhipcxx: limitations and unsupported APIs",
    "https://rocm.docs.amd.com/projects/libhipcxx/en/docs-10.2.0/reference/"
    "libhipcxx-limitations.html",
    RocmRelease(10, 2),
)
COOPERATIVE_GROUPS = RuleEvidence(
    "HIP headers: cooperative groups without asynchronous copies and without clusters",
    "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_cooperative_groups.h",
    RocmRelease(6, 2),
)
FENCES = RuleEvidence(
    "HIP C++ language extensions: memory fence instructions",
    "ROCm/rocm-systems:projects/hip/docs/how-to/hip_cpp_language_extensions.rst",
    RocmRelease(7, 2),
)
