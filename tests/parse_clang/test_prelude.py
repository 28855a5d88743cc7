"""What CUDA's compiler gives every file without being asked, in a parse with CUDA's headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.discover.toolkit import PACKAGE, find_toolkit
from migrate.model.unit import CompileArguments
from migrate.parse.clang.library import standard_library_arguments
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.unit import ParsedUnit, clang_arguments, parse_unit

INSTALLED = find_toolkit(None)
pytestmark = pytest.mark.skipif(
    INSTALLED.origin != PACKAGE or bool(INSTALLED.lacking),
    reason="the extra cuda-headers is not installed",
)

PRINTS_WITHOUT_A_HEADER = """
__global__ void fill(float *out) {
  assert(out);
  out[threadIdx.x] = 1.0f;
  printf("%d", (int)threadIdx.x);
}
int main() {
  float *out, host[4];
  clock_t start = clock();
  cudaMalloc((void **)&out, sizeof host);
  fill<<<1, 4>>>(out);
  memset(host, 0, sizeof host);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "%f %ld", host[0], (long)(clock() - start));
  printf("%zu", strlen("done"));
  exit(std::move(host[0]) != 1.0f);
}
"""


def parsed(tmp_path: Path, text: str) -> ParsedUnit:
    (tmp_path / "unit.cu").write_text(text, encoding="utf-8")
    given = clang_arguments(
        CompileArguments(), INSTALLED, load_libclang(), standard_library_arguments()
    )
    return parse_unit("unit.cu", str(tmp_path), given)


def test_a_program_that_prints_without_a_header_has_no_errors(tmp_path: Path) -> None:
    unit = parsed(tmp_path, PRINTS_WITHOUT_A_HEADER)
    assert [str(one) for one in unit.handle.diagnostics if one.severity >= one.Error] == []
