"""Where the facts of the rules on shared memory and launches stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

LAUNCH_CHECKS = RuleEvidence(
    "CLR: what a launch and hipFuncSetAttribute check (LDS, block, grid, cooperative grid)",
    "ROCm/rocm-systems:projects/clr/hipamd/src/hip_module.cpp",
    RocmRelease(7, 2),
)
GPU_SPECS = RuleEvidence(
    "ROCm documentation: LDS, registers and compute units of AMD GPUs",
    "https://rocm.docs.amd.com/en/latest/reference/gpu-arch-specs.html",
    RocmRelease(7, 2),
)
HIP_HEADER = RuleEvidence(
    "HIP headers: hipFuncSetAttribute and hipLaunchKernel take const void*, and have no template",
    "ROCm/HIP:include/hip/hip_runtime_api.h",
    RocmRelease(7, 2),
)
EXTENSIONS = RuleEvidence(
    "HIP C++ language extensions: __launch_bounds__",
    "ROCm/rocm-systems:projects/hip/docs/how-to/hip_cpp_language_extensions.rst",
    RocmRelease(7, 2),
)
