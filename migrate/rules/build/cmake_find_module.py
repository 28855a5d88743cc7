"""A CMake module in the tree that finds a library of CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.sources import ROCM_CMAKE
from migrate.rules.code import Code

_PACKAGES = {
    "nccl": "rccl",
    "cudnn": "miopen",
    "cub": "hipcub",
    "thrust": "rocthrust",
    "cublas": "hipblas",
    "cufft": "hipfft",
    "curand": "hiprand",
    "cusparse": "hipsparse",
    "cusolver": "hipsolver",
    "cutensor": "hiptensor",
    "nvtx": "rocprofiler-sdk-roctx",
    "nvml": "amd_smi",
    "cupti": "rocprofiler-sdk",
    "nvshmem": "",
    "cutlass": "",
    "tensorrt": "",
    "optix": "",
}
"""The package of ROCm for what a module finds; "" where there is none of the same kind."""


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.FIND_MODULE):
        package = _PACKAGES.get(signal.value.lower())
        if package:
            yield code.hit(signal, detail=f"ROCm's package is {package}.")
        elif package is not None:
            yield code.hit(signal, detail=f"ROCm has no package in place of {signal.value}.")


RULE = Rule(
    id="HA-E014",
    slug="cmake-own-find-module",
    title="Own Find module for a library of CUDA",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The module looks for NVIDIA's headers and library files. ROCm's libraries bring "
    "package files that find_package reads by itself.",
    fix="Call find_package for ROCm's package in the AMD build; no module of its own is needed.",
    evidence=(ROCM_CMAKE,),
    example=Example(
        cuda="find_path(NCCL_INCLUDE_DIR nccl.h)\nfind_library(NCCL_LIBRARY nccl)\n",
        hip="",
        name="cmake/FindNCCL.cmake",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
