"""Where the facts of the rules on Python stand."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

TORCH_HIP = RuleEvidence(
    "PyTorch: HIP semantics, how to tell CUDA and ROCm builds apart",
    "pytorch/pytorch:docs/source/notes/hip.rst",
    RocmRelease(7, 2),
)
TORCH_EXTENSION = RuleEvidence(
    "PyTorch: cpp_extension translates sources for ROCm and asks for PYTORCH_ROCM_ARCH",
    "pytorch/pytorch:torch/utils/cpp_extension.py",
)
MI300_CAPABILITY = RuleEvidence(
    "What get_device_properties says on an MI300X: major 9, minor 4, gcnArchName gfx942",
    "https://github.com/pytorch/ao/pull/2853",
)
CAPABILITIES = RuleEvidence(
    "The same numbers mean other features: a table of AMD GPUs against capability checks",
    "https://github.com/vllm-project/vllm/issues/40620",
)
CUPY = RuleEvidence(
    "CuPy on AMD GPUs: how to install it, what is missing",
    "cupy/cupy:docs/source/install.rst",
    RocmRelease(7, 0),
)
HIP_PYTHON = RuleEvidence(
    "HIP Python: bindings of HIP, and a layer with the names of CUDA Python",
    "https://rocm.docs.amd.com/projects/hip-python/en/latest",
    RocmRelease(7, 2),
)
LIBRARY_NAMES = RuleEvidence(
    "HIP's runtime is built as amdhip64, with the release in its name on Windows alone",
    "ROCm/clr:hipamd/src/CMakeLists.txt",
    RocmRelease(7, 0),
)
TORCH_CUDNN = RuleEvidence(
    "PyTorch: torch.backends.cudnn is MIOpen on ROCm, with its version and its switches",
    "pytorch/pytorch:torch/backends/cudnn/__init__.py",
)
TORCH_ATTENTION = RuleEvidence(
    "PyTorch: attention by cuDNN is not compiled in for ROCm",
    "pytorch/pytorch:aten/src/ATen/native/transformers/cuda/sdp_utils.cpp",
)
THEROCK = RuleEvidence("ROCm's Python packages", "ROCm/TheRock:RELEASES.md", RocmRelease(10, 0))
JAX = RuleEvidence("JAX: installation for AMD GPUs", "jax-ml/jax:docs/installation.md")
TRITON = RuleEvidence(
    "Triton: the AMD back end's options, warps and libraries",
    "triton-lang/triton:third_party/amd/backend/compiler.py",
)
ORT = RuleEvidence(
    "ONNX Runtime on ROCm: the MIGraphX execution provider",
    "https://rocm.docs.amd.com/projects/ai-ecosystem/en/latest/inference/onnxruntime.html",
)
FP8_TYPES = RuleEvidence(
    "hipBLASLt: fnuz types on gfx942 alone, OCP types on gfx950 and gfx12",
    "https://rocm.docs.amd.com/projects/hipBLASLt/en/latest/reference/data-type-support.html",
)
NUMBA_HIP = RuleEvidence(
    "numba-hip: warpsize is the GPU's, the _sync functions are still to come",
    "ROCm/numba-hip:numba/hip/device_init.py",
)
