"""Python: its packages, what PyTorch and others ask of CUDA, CUDA in strings and notebooks."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.python import (
    arch_list,
    capability,
    cuda_home,
    cuda_packages,
    cupy_missing,
    notebook_cell,
    numba_warps,
    nvidia_wheels,
    onnx_provider,
    opened_library,
    runtime_source,
    scaled_mm,
    torch_cudnn,
    torch_version,
    triton_asm,
    triton_nvidia,
    triton_warps,
)

RULES: tuple[Rule, ...] = (
    runtime_source.RULE,
    nvidia_wheels.RULE,
    cuda_packages.RULE,
    torch_version.RULE,
    capability.RULE,
    opened_library.RULE,
    scaled_mm.RULE,
    triton_asm.RULE,
    triton_nvidia.RULE,
    triton_warps.RULE,
    torch_cudnn.RULE,
    cuda_home.RULE,
    arch_list.RULE,
    onnx_provider.RULE,
    numba_warps.RULE,
    cupy_missing.RULE,
    notebook_cell.RULE,
)
