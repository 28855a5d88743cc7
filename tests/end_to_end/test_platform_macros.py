"""A project's own means of telling CUDA from HIP builds are read from its tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.command import make_tree, result_of

PLATFORM = """\
#if !defined(USE_ROCM) && __CUDA_ARCH__ >= 800
#define HAS_ASYNC_COPY
#endif
#if defined(USE_ROCM) && defined(__gfx942__)
#define HAS_MATRIX_OPS
#endif
#ifdef HAS_ASYNC_COPY
#define HAS_PIPELINE
#endif
"""
SHIM = """\
#include <hip/hip_runtime.h>
#define cudaMalloc hipMalloc
#define __shfl_xor_sync(mask, value, lane) __shfl_xor(value, lane)
static __device__ int __dp4a(int a, int b, int c) { return c; }
typedef hipStream_t cudaStream_t;
"""
SWITCH = """\
#if defined(USE_ROCM)
#include "vendors/hip.h"
#else
#include "vendors/cuda.h"
#endif
"""
INCLUDE = '#include "platform.h"\n'
USES = """\
#include "common.h"
__global__ void k(int* p) { p[0] = __dp4a(p[0], p[1], __shfl_xor_sync(~0u, p[2], 1)); }
void f(float** p, cudaStream_t s) { cudaMalloc(p, 4); cudaFree(*p); }
"""


def by_name(result: dict[str, Any]) -> dict[str, str]:
    return {row["name"]: row["state"] for row in result["apis"]}


def test_a_macro_defined_only_where_hip_is_left_out_guards_ported_code(tmp_path: Path) -> None:
    kernel = (
        INCLUDE + "__device__ void f() {\n#ifdef HAS_ASYNC_COPY\n  __syncthreads();\n#else\n"
        "  __threadfence();\n#endif\n#ifdef HAS_PIPELINE\n  __syncwarp();\n#else\n  ;\n#endif\n}\n"
    )
    result = result_of(make_tree(tmp_path, {"platform.h": PLATFORM, "k.cu": kernel}))
    assert by_name(result) == {
        "__CUDA_ARCH__": "ported",
        "__syncthreads": "ported",
        "__threadfence": "active",
        "__syncwarp": "ported",
    }


def test_a_macro_defined_only_for_hip_guards_hip_code(tmp_path: Path) -> None:
    kernel = (
        INCLUDE + "__device__ void f() {\n#ifdef HAS_MATRIX_OPS\n  __syncthreads();\n#endif\n}\n"
    )
    result = result_of(make_tree(tmp_path, {"platform.h": PLATFORM, "k.cu": kernel}))
    assert "__syncthreads" not in by_name(result)


SWITCHES = """\
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIPCC__)
#define {name} {hip}
#else
#define {name} {cuda}
#endif
"""
BRANCHES = "void f(float* p) {{\n#{ask}\n  hipFree(p);\n#else\n  cudaFree(p);\n#endif\n}}\n"


@pytest.mark.parametrize(
    ("name", "values", "ask", "state"),
    [
        ("KIT_HIP", ("1", "0"), "if KIT_HIP", "ported"),
        ("KIT_PORT", ("1", "0"), "if KIT_PORT", "ported"),
        ("KIT_PORT", ("(1)", "(0)"), "if !!KIT_PORT", "ported"),
        # Both builds define it.
        ("KIT_HIP", ("1", "0"), "ifdef KIT_HIP", "active"),
        ("KIT_PORT", ("1", "0"), "ifdef KIT_PORT", "active"),
        # What the value says of the builds is not known.
        ("KIT_WIDTH", ("64", "32"), "if KIT_WIDTH > 32", "active"),
    ],
)
def test_a_macro_that_is_1_for_hip_and_0_for_cuda_tells_them_apart_by_its_value(
    name: str, values: tuple[str, str], ask: str, state: str, tmp_path: Path
) -> None:
    switch = SWITCHES.format(name=name, hip=values[0], cuda=values[1])
    for tree in (
        {"kit.h": switch, "k.cu": '#include "kit.h"\n' + BRANCHES.format(ask=ask)},
        {"k.cu": switch + BRANCHES.format(ask=ask)},
    ):
        folder = tmp_path / str(len(tree))
        assert by_name(result_of(make_tree(folder, tree)))["cudaFree"] == state


def test_a_macro_of_some_hip_builds_leaves_its_else_branch_to_the_others(tmp_path: Path) -> None:
    switch = "#if defined(__HIPCC__) && defined(__gfx942__)\n#define KIT_HIP 1\n#endif\n"
    code = switch + BRANCHES.format(ask="if KIT_HIP")
    assert by_name(result_of(make_tree(tmp_path, {"k.cu": code})))["cudaFree"] == "active"


def test_a_macro_that_is_also_defined_elsewhere_tells_nothing(tmp_path: Path) -> None:
    kernel = (
        INCLUDE
        + "__device__ void f() {\n#ifdef HAS_ASYNC_COPY\n  __syncthreads();\n#else\n;\n#endif\n}\n"
    )
    tree = {"platform.h": PLATFORM, "config.h": "#define HAS_ASYNC_COPY\n", "k.cu": kernel}
    assert by_name(result_of(make_tree(tmp_path, tree)))["__syncthreads"] == "active"


def test_a_macro_tells_nothing_where_its_definition_is_not_in_force(tmp_path: Path) -> None:
    tree = {
        "a.cu": "#ifdef USE_ROCM\n#define VERBOSE\n#endif\n",
        "b.cu": "void f() {\n#ifdef VERBOSE\n  cudaDeviceSynchronize();\n#endif\n}\n",
    }
    assert by_name(result_of(make_tree(tmp_path, tree))) == {"cudaDeviceSynchronize": "active"}


def test_a_fallback_for_a_compilers_macro_tells_nothing(tmp_path: Path) -> None:
    shim = (
        "#include <hip/hip_runtime.h>\n#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n"
    )
    code = '#include "hip.h"\nvoid f() {\n#if __has_builtin(x)\n  cudaFree(0);\n#endif\n}\n'
    result = result_of(make_tree(tmp_path, {"hip.h": shim, "a.cu": code}))
    assert by_name(result) == {"cudaFree": "active"}


def test_the_other_side_of_a_macro_that_every_hip_build_defines_is_ported(tmp_path: Path) -> None:
    header = (
        "#ifndef FLOAT16_H\n#define FLOAT16_H\n"
        "#if __CUDA_ARCH__ >= 800 || defined(USE_AMD_ROCM)\n#define FULL_BFLOAT16\n#endif\n#endif\n"
    )
    code = (
        '#include "float16.h"\n__device__ void f(float* p) {\n#ifndef FULL_BFLOAT16\n'
        "  __syncwarp();\n#else\n  __syncthreads();\n#endif\n}\n"
    )
    result = result_of(make_tree(tmp_path, {"float16.h": header, "a.cu": code}))
    assert by_name(result)["__syncwarp"] == "ported"
    assert by_name(result)["__syncthreads"] == "active"


def test_in_a_file_with_a_compatibility_header_hip_takes_the_branch_for_old_cuda(
    tmp_path: Path,
) -> None:
    code = (
        '#include "common.h"\nvoid f() {\n#if CUDART_VERSION >= 12000\n  cudaDeviceReset();\n'
        "#else\n  cudaDeviceSynchronize();\n#endif\n}\n"
    )
    tree = {"vendors/hip.h": SHIM, "vendors/cuda.h": "", "common.h": SWITCH, "a.cu": code}
    states = by_name(result_of(make_tree(tmp_path, tree)))
    assert (states["cudaDeviceReset"], states["cudaDeviceSynchronize"]) == ("ported", "active")


def test_a_header_that_only_mapped_files_include_is_mapped_too(tmp_path: Path) -> None:
    tree = {
        "compat.h": SWITCH,
        "vendors/hip.h": SHIM,
        "a.cu": '#include "compat.h"\n#include "k.cuh"\n',
        "k.cuh": "inline void f(float** p) { cudaMalloc(p, 4); }\n",
    }
    assert by_name(result_of(make_tree(tmp_path, tree))) == {"cudaMalloc": "ported"}


def test_names_that_a_compatibility_header_maps_are_ported(tmp_path: Path) -> None:
    tree = {
        "src/vendors/hip.h": SHIM,
        "src/vendors/cuda.h": "#include <cuda_runtime.h>\n",
        "src/common.h": SWITCH,
        "src/k.cu": USES,
    }
    assert by_name(result_of(make_tree(tmp_path, tree))) == {
        "__dp4a": "ported",
        "__shfl_xor_sync": "ported",
        "cudaMalloc": "ported",
        "cudaStream_t": "ported",
        "cudaFree": "active",
    }


def test_a_compatibility_header_answers_only_for_files_that_include_it(tmp_path: Path) -> None:
    tree = {
        "src/vendors/hip.h": SHIM,
        "src/common.h": SWITCH,
        "src/k.cu": USES,
        "tools/other.cu": "void g(float** p) { cudaMalloc(p, 4); }\n",
    }
    rows = result_of(make_tree(tmp_path, tree))["apis"]
    states = sorted(row["state"] for row in rows if row["name"] == "cudaMalloc")
    assert states == ["active", "ported"]


def test_a_third_partys_compatibility_header_ports_nothing(tmp_path: Path) -> None:
    tree = {
        "third_party/lib/hip.h": SHIM,
        "k.cu": '#include "third_party/lib/hip.h"\nvoid f(float** p) { cudaMalloc(p, 4); }\n',
    }
    assert by_name(result_of(make_tree(tmp_path, tree))) == {"cudaMalloc": "active"}


def test_a_header_of_hip_names_is_a_compatibility_header_wherever_its_guard_stands(
    tmp_path: Path,
) -> None:
    tree = {
        "hip/hipify.h": "#define cudaMalloc hipMalloc\n#define cudaFree(p) hipFree(p)\n",
        "a.cu": '#ifdef __IS_HIP_COMPILE__\n#include "hipify.h"\n#endif\n'
        "void f(float** p) { cudaMalloc(p, 4); cudaFree(*p); cudaDeviceReset(); }\n",
    }
    assert by_name(result_of(make_tree(tmp_path, tree))) == {
        "cudaMalloc": "ported",
        "cudaFree": "ported",
        "cudaDeviceReset": "active",
    }


def test_types_and_namespaces_that_a_compatibility_header_maps_are_ported(tmp_path: Path) -> None:
    shim = (
        "#include <hip/hip_runtime.h>\n#define cub hipcub\n#define nvtxRangePop roctxRangePop\n"
        "typedef __hip_bfloat16 __nv_bfloat16;\nusing __half2 = _hip_half2;\n"
    )
    code = (
        '#ifdef __IS_HIP_COMPILE__\n#include "hip.h"\n#endif\n'
        "__global__ void k(__nv_bfloat16* x, __half2* y) { cub::WarpReduce<int> r; }\n"
        "void f() { nvtxRangePop(); }\n"
    )
    assert by_name(result_of(make_tree(tmp_path, {"hip.h": shim, "a.cu": code}))) == {
        "__half2": "ported",
        "__nv_bfloat16": "ported",
        "cub::WarpReduce": "ported",
        "nvtxRangePop": "ported",
    }


def test_a_switch_for_the_compiler_of_hip_tells_the_builds_apart(tmp_path: Path) -> None:
    code = "void f() {\n#ifdef __IS_HIP_COMPILE__\n  g();\n#else\n  cudaFree(0);\n#endif\n}\n"
    assert by_name(result_of(make_tree(tmp_path, {"a.cu": code}))) == {"cudaFree": "ported"}
