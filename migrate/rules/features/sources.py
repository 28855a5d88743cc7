"""Evidence that several rules on features name."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

HIP_LANGUAGE = RuleEvidence(
    "HIP C++ language extensions",
    "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
    RocmRelease(7, 2),
)
HIP_CHANGELOG = RuleEvidence(
    "HIP's changelog", "ROCm/rocm-systems:projects/clr/CHANGELOG.md", RocmRelease(10, 2)
)
HIPIFY_RUNTIME = RuleEvidence(
    "HIPIFY: runtime API functions without a HIP name",
    "ROCm/HIPIFY:docs/tables/CUDA_Runtime_API_functions_supported_by_HIP.md",
    RocmRelease(7, 2),
)
HIP_TEXTURES = RuleEvidence(
    "HIP's texture objects: what creating one refuses",
    "ROCm/clr:hipamd/src/hip_texture.cpp",
    RocmRelease(6, 3),
)
HIP_LAUNCHES = RuleEvidence(
    "HIP's launches: attributes other than cooperative are an invalid configuration",
    "ROCm/rocm-systems:projects/clr/hipamd/src/hip_module.cpp",
    RocmRelease(7, 0),
)
CLANG_HIP = RuleEvidence(
    "Clang's HIP support: virtual functions, relocatable device code",
    "https://clang.llvm.org/docs/HIPSupport.html",
    RocmRelease(7, 0),
)
