"""Evidence that several rules on other languages share."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

HIPFORT = RuleEvidence(
    "hipFORT: what it has interfaces to, and in which forms",
    "https://rocm.docs.amd.com/projects/hipfort/en/docs-10.1.0/how-to/using-hipfort.html",
    RocmRelease(10, 1),
)
HIPFORT_ARRAYS = RuleEvidence(
    "hipFORT examples: device arrays as pointers, allocated and copied by calls",
    "https://rocm.docs.amd.com/projects/hipfort/en/docs-6.2.0/tutorials/examples.html",
    RocmRelease(6, 2),
)
ROCM_OPENMP = RuleEvidence(
    "OpenMP in ROCm's compilers: C, C++ and Fortran, with offload to AMD GPUs",
    "https://rocm.docs.amd.com/projects/llvm-project/en/latest/conceptual/openmp.html",
    RocmRelease(7, 2),
)
ROCM_COMPILERS = RuleEvidence(
    "The models that ROCm's compilers take (HIP, OpenMP, OpenCL), and their targets",
    "https://rocm.docs.amd.com/projects/llvm-project/en/docs-6.4.1/reference/rocmcc.html",
    RocmRelease(6, 4),
)
