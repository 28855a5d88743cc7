"""Kernels and wrapper headers of a whole scan, with the compiler and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.command import APPS, FIXTURES, make_tree, result_of
from tests.end_to_end.compiler import answers

CODE = {
    "src/gpu.h": """#pragma once
#include <cuda_runtime.h>
#define gpuFree cudaFree
#define gpuMemset(p, v, n) cudaMemset(p, v, n)
#define GPU(name) cuda##name
using gpuStream_t = cudaStream_t;
inline cudaError_t gpuMalloc(void** p, size_t n) { return cudaMalloc(p, n); }
""",
    "src/sum.cuh": """#pragma once
template <int N>
__global__ void __launch_bounds__(N) sum(float* p) {
  __shared__ float part[N * 100];
  part[threadIdx.x] = p[threadIdx.x];
}
""",
    "src/a.cu": """#include "gpu.h"
#include "sum.cuh"
void run(float* p) {
  gpuMalloc((void**)&p, 4);
  gpuMemset(p, 0, 4);
  sum<64><<<1, 64>>>(p);
  gpuFree(p);
}
""",
    "src/b.cu": """#include "gpu.h"
#include "sum.cuh"
void run_more(float* p) {
  sum<256><<<1, 256>>>(p);
  gpuFree(p);
}
""",
    "third_party/x/x.cu": "__global__ void theirs() {}\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tree(tmp_path_factory.mktemp("program"), CODE)


@pytest.fixture(scope="module")
def result(tree: Path) -> dict[str, Any]:
    return answers(tree)


def test_a_kernel_has_the_instances_of_all_units(result: dict[str, Any]) -> None:
    (kernel,) = result["kernels"]
    assert (kernel["name"], kernel["path"], kernel["line"]) == ("sum", "src/sum.cuh", 3)
    assert kernel["instances"] == [
        {"arguments": "256", "static_shared_bytes": 102400},
        {"arguments": "64", "static_shared_bytes": 25600},
    ]
    assert kernel["launch_bounds"] == [256]
    assert kernel["launched_from"] == [
        {"function": "run", "path": "src/a.cu", "line": 6},
        {"function": "run_more", "path": "src/b.cu", "line": 4},
    ]
    assert kernel["seen_by"] == "clang"


def test_a_wrapper_header_counts_the_uses_of_all_units(result: dict[str, Any]) -> None:
    assert result["project"]["wrappers"] == [
        {"path": "src/gpu.h", "names": 5, "ported": 0, "expansions": 4},
    ]


def test_without_the_compiler_sizes_and_uses_are_null(tree: Path) -> None:
    result = result_of(tree)
    (kernel,) = result["kernels"]
    assert (kernel["instances"], kernel["launch_bounds"]) == ([], [None])
    assert kernel["seen_by"] == "tree-sitter"
    assert len(kernel["launched_from"]) == 2
    assert result["project"]["wrappers"] == [
        {"path": "src/gpu.h", "names": 5, "ported": 0, "expansions": None},
    ]


def test_kernels_of_third_parties_are_listed_when_asked_for(tree: Path) -> None:
    named = [row["name"] for row in result_of(tree, include_vendored=True)["kernels"]]
    assert named == ["sum", "theirs"]


@pytest.mark.parametrize("app", APPS)
def test_as_many_kernels_are_listed_as_are_counted(app: str) -> None:
    result = result_of(FIXTURES / app)
    assert len(result["kernels"]) == result["summary"]["kernels"]
