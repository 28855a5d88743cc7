"""The declarations that stand in for CUDA's: they parse, and look as CUDA's do."""

from __future__ import annotations

from pathlib import Path

from migrate.parse.clang.cursors import Kind, descendants, referenced
from tests.parse_clang.parsing import TOOLKIT, parse_text

HEADERS = (
    "cuda.h",
    "cuda_fp16.h",
    "cooperative_groups.h",
    "cub/cub.cuh",
    "thrust/device_vector.h",
    "thrust/sort.h",
    "thrust/reduce.h",
)
EVERYTHING = "".join(f"#include <{name}>\n" for name in HEADERS)
CODE = """
namespace cg = cooperative_groups;
template <typename T> __global__ void __launch_bounds__(256, 2) sum(T* in, T* out, int n) {
  __shared__ typename cub::BlockReduce<T, 256>::TempStorage storage;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  T v = __shfl_down_sync(0xffffffffu, in[threadIdx.x + blockIdx.x * blockDim.x], 4);
  v = cub::BlockReduce<T, 256>(storage).Sum(tile.shfl_xor(v, 1));
  if (tile.thread_rank() == 0 && __ballot_sync(__activemask(), n)) out[0] = v;
  __syncthreads();
}
void host(int n) {
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  sum<float><<<prop.multiProcessorCount, 256>>>(in, out, n);
  thrust::device_vector<int> v(n);
  thrust::sort(v.begin(), v.end());
  CUcontext context;
  cuCtxCreate(&context, nullptr, 0, 0);
}
"""


def test_each_header_is_there_and_all_parse_without_an_error(tmp_path: Path) -> None:
    unit, _ = parse_text(tmp_path, EVERYTHING + CODE)
    assert unit.errors == 0
    assert unit.missing_headers == ()


def test_no_header_of_the_machine_is_read(tmp_path: Path) -> None:
    unit, _ = parse_text(tmp_path, EVERYTHING + CODE)
    own = (str(tmp_path), *TOOLKIT.include)
    others = [name for name in unit.included if not name.startswith(own)]
    assert [Path(name).name for name in others] == [
        "__clang_cuda_builtin_vars.h",
        "hipassess_launch.h",
    ]


def test_a_versioned_function_arrives_under_its_own_name(tmp_path: Path) -> None:
    unit, _ = parse_text(tmp_path, EVERYTHING + CODE)
    calls = [
        one
        for one in descendants(unit.handle.cursor)
        if one.kind == Kind.CALL_EXPR and one.location.file.name.endswith("unit.cu")
    ]
    names = {called.spelling for one in calls if (called := referenced(one))}
    assert {"cudaGetDeviceProperties_v2", "cuCtxCreate_v4", "cudaMalloc", "sort"} <= names
