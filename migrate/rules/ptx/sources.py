"""Where the facts of the rules on PTX stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

NO_PTX = RuleEvidence("HIP FAQ: no PTX", "ROCm/HIP:docs/how-to/faq.md", RocmRelease(6, 3))
PTX_ISA = RuleEvidence(
    "NVIDIA PTX ISA, as Compiler Explorer takes it from its pages",
    "compiler-explorer/compiler-explorer:lib/asm-docs/generated/asm-docs-ptx.ts",
)
CLANG = RuleEvidence(
    "Clang: builtin functions for carries, saturation, vectors, atomics with a scope",
    "llvm/llvm-project:clang/docs/LanguageExtensions.rst",
)
AMDGPU_BUILTINS = RuleEvidence(
    "LLVM: AMDGPU intrinsics", "llvm/llvm-project:llvm/include/llvm/IR/IntrinsicsAMDGPU.td"
)
EXTENSIONS = RuleEvidence(
    "HIP C++ language extensions",
    "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
    RocmRelease(7, 2),
)
NAMED_BARRIERS = RuleEvidence(
    "LLVM: named barriers exist from gfx12.5",
    "https://github.com/llvm/llvm-project/pull/165502",
)
CARRY_ISSUE = RuleEvidence(
    "HIP issue 2564: a PTX carry chain", "https://github.com/ROCm/hip/issues/2564"
)
MODULES = RuleEvidence(
    "HIP porting guide: modules are code objects",
    "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
    RocmRelease(7, 2),
)
RTC = RuleEvidence(
    "HIP guide to runtime compilation",
    "ROCm/rocm-systems:projects/hip/docs/how-to/hip_rtc.rst",
    RocmRelease(7, 2),
)
