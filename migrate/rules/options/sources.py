"""Where the facts of the rules on compiler options stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

CLANG_DRIVER = RuleEvidence(
    "Clang 22, the compiler of 7.2: what its driver says of each option in HIP mode",
    "ROCm/llvm-project:clang/include/clang/Options/Options.td",
    RocmRelease(7, 2),
)
CLANG_OPTIONS = RuleEvidence(
    "Clang: the options of its driver", "llvm/llvm-project:clang/include/clang/Driver/Options.td"
)
CLANG_HIP = RuleEvidence(
    "Clang: HIP support, device linking and its options",
    "llvm/llvm-project:clang/docs/HIPSupport.rst",
)
CLANG_MANUAL = RuleEvidence(
    "Clang: what -ffast-math and its parts allow", "llvm/llvm-project:clang/docs/UsersManual.rst"
)
HIPCC = RuleEvidence(
    "hipcc: which options it takes itself", "ROCm/llvm-project:amd/hipcc/src/hipBin_amd.h"
)
NVCC = RuleEvidence(
    "NVIDIA: the options of nvcc", "https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/"
)
PER_THREAD = RuleEvidence(
    "HIP programming manual: default stream per thread",
    "ROCm/HIP:docs/how-to/programming_manual.md",
    RocmRelease(6, 2),
)
HIP_GENCO = RuleEvidence(
    "HIP: code objects made with --genco",
    "ROCm/HIP:docs/reference/kernel_language.rst",
    RocmRelease(6, 3),
)
LAUNCH_BOUNDS = RuleEvidence(
    "HIP porting guide: no --maxrregcount, launch bounds instead",
    "ROCm/HIP:docs/reference/kernel_language.rst",
    RocmRelease(6, 3),
)
TORCH = RuleEvidence(
    "PyTorch: the flags that it gives hipcc and nvcc for extensions",
    "pytorch/pytorch:torch/utils/cpp_extension.py",
)
