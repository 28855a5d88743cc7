"""Where the facts of the rules on build systems stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

ROCM_CMAKE = RuleEvidence(
    "ROCm: using CMake, the HIP language, packages and targets",
    "ROCm/ROCm:docs/conceptual/cmake-packages.rst",
    RocmRelease(6, 3),
)
CMAKE_HIP = RuleEvidence(
    "CMake: the language HIP", "https://cmake.org/cmake/help/latest/command/enable_language.html"
)
CMAKE_ARCHITECTURES = RuleEvidence(
    "CMake: CMAKE_HIP_ARCHITECTURES",
    "https://cmake.org/cmake/help/latest/variable/CMAKE_HIP_ARCHITECTURES.html",
)
CMAKE_FLAGS = RuleEvidence(
    "CMake: flags and compiler launchers by language, CUDA and HIP among them",
    "https://cmake.org/cmake/help/latest/variable/CMAKE_LANG_FLAGS.html",
)
CMAKE_STANDARD = RuleEvidence(
    "CMake: HIP_STANDARD", "https://cmake.org/cmake/help/latest/prop_tgt/HIP_STANDARD.html"
)
CMAKE_EXPRESSIONS = RuleEvidence(
    "CMake: generator expressions by language",
    "https://cmake.org/cmake/help/latest/manual/cmake-generator-expressions.7.html",
)
CMAKE_PROPERTIES = RuleEvidence(
    "CMake: the properties of targets, with those of CUDA and of HIP",
    "https://cmake.org/cmake/help/latest/manual/cmake-properties.7.html",
)
FIND_CUDA = RuleEvidence(
    "CMake: FindCUDA, gone under policy CMP0146",
    "https://cmake.org/cmake/help/latest/module/FindCUDA.html",
)
CLANG_HIP = RuleEvidence(
    "Clang: HIP support, device linking and its options",
    "llvm/llvm-project:clang/docs/HIPSupport.rst",
)
HIP_GENCO = RuleEvidence(
    "HIP: code objects made with --genco",
    "ROCm/HIP:docs/reference/kernel_language.rst",
    RocmRelease(6, 3),
)
HIPCC = RuleEvidence(
    "hipcc: which options it takes itself", "ROCm/llvm-project:amd/hipcc/src/hipBin_amd.h"
)
HIP_LINKING = RuleEvidence(
    "HIP: the compiler driver and what it links",
    "https://rocm.docs.amd.com/projects/HIP/en/docs-6.4.2/understand/compilers.html",
    RocmRelease(6, 4),
)
TORCH = RuleEvidence(
    "PyTorch: how its C++ extensions are built on ROCm",
    "pytorch/pytorch:torch/utils/cpp_extension.py",
)
BAZEL_ROCM = RuleEvidence(
    "XLA: the toolchain and the rules of Bazel for ROCm",
    "openxla/xla:third_party/gpus/rocm/build_defs.bzl.tpl",
)
MESON_HIP = RuleEvidence(
    "Meson: HIP as a language is asked for", "https://github.com/mesonbuild/meson/issues/14735"
)
HIP_SDK = RuleEvidence(
    "HIP SDK for Windows: what it has",
    "https://rocm.docs.amd.com/projects/install-on-windows/en/latest/conceptual/component-support.html",
    RocmRelease(6, 2),
)
