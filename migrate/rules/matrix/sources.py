"""Where the facts of the rules on matrix cores stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

ROCWMMA = RuleEvidence(
    "rocWMMA API reference: types, block sizes and GPUs",
    "ROCm/rocWMMA:docs/api-reference/api-reference-guide.rst",
    RocmRelease(7, 0),
)
ROCWMMA_CHANGES = RuleEvidence(
    "rocWMMA change log",
    "ROCm/rocm-libraries:projects/rocwmma/CHANGELOG.md",
    RocmRelease(7, 2),
)
INSTRUCTIONS = RuleEvidence(
    "LLVM: matrix instructions of AMD GPUs and the GPUs that have them",
    "llvm/llvm-project:llvm/lib/Target/AMDGPU/VOP3PInstructions.td",
)
LAYOUTS = RuleEvidence(
    "AMD matrix instruction calculator: which lane holds which element",
    "https://github.com/ROCm/amd_matrix_instruction_calculator",
)
COMPOSABLE_KERNEL = RuleEvidence(
    "Composable Kernel readme", "ROCm/composable_kernel:README.md", RocmRelease(7, 2)
)
MI200_SUBNORMALS = RuleEvidence(
    "MIOpen: MI200 alternate implementation for half and bfloat16",
    "https://rocm.docs.amd.com/projects/MIOpen/en/latest/MI200AlternateImplementation.html",
)
