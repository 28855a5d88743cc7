"""Which library's own tree a name may stand in."""

from __future__ import annotations

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.components import known_components
from migrate.knowledge.owners import owned_by


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("CUTLASS_CHECK", "cutlass"), ("CUTE_HOST_DEVICE", "cutlass"),
        ("cutlass::gemm::device::Gemm", "cutlass"), ("cute::Layout", "cutlass"),
        ("CUB_NAMESPACE_BEGIN", "cub"), ("cub::DeviceReduce::Sum", "cub"), ("CubLog", ""),
        ("_CubLog", "cub"), ("THRUST_DEVICE_SYSTEM", "thrust"), ("thrust::sort", "thrust"),
        ("cuda::std::array", "libcudacxx"), ("_CCCL_DEVICE", "libcudacxx"),
        ("cooperative_groups::sync", "cooperative_groups"), ("nvcuda::wmma::fragment", "wmma"),
        ("ncclAllReduce", "nccl"), ("NCCL_MAJOR", "nccl"), ("nvtxRangePushA", "nvtx"),
        ("cudnn_frontend::graph::Graph", "cudnn_frontend"), ("rmm::device_uvector", "rapids"),
    ],
)  # fmt: skip
def test_a_name_of_a_library_with_open_source_is_its_own(name: str, library: str) -> None:
    assert owned_by(name) == library


@pytest.mark.parametrize(
    "name", ["cudaMalloc", "cuMemAlloc", "cublasSgemm", "cute", "cubic", "ncclx", "half", ""]
)
def test_other_names_have_no_such_owner(name: str) -> None:
    assert owned_by(name) == ""


def test_the_owner_of_a_name_with_a_row_is_its_library() -> None:
    wrong = [
        (row.name, row.library)
        for row in load_tables().all_rows()
        if row.library != "macros" and owned_by(row.name.rstrip("*")) not in {"", row.library}
    ]
    assert not wrong
    assert {owned_by("cub::X"), owned_by("CUTE_X"), owned_by("dcgmInit")} <= set(known_components())
