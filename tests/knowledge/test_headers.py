"""Headers and whole libraries: what stands for them in ROCm."""

from __future__ import annotations

import pytest

from migrate.knowledge.apis import load_tables, table_keys
from migrate.knowledge.components import known_components
from migrate.knowledge.headers import resolve_header
from migrate.knowledge.releases import known_releases
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Verdict

TARGET = Target(RocmRelease(7, 2), ("gfx942",))


@pytest.mark.parametrize(
    ("include", "verdict", "hip"),
    [
        ("cuda_runtime.h", Verdict.RENAMED, "hip/hip_runtime.h"),
        ("cublas_v2.h", Verdict.RENAMED, "hipblas/hipblas.h"),
        ("cudnn.h", Verdict.REPLACED, "miopen/miopen.h"),
        ("cub/cub.cuh", Verdict.RENAMED, "hipcub/hipcub.hpp"),
        ("thrust/sort.h", Verdict.SAME, "thrust/sort.h"),
    ],
)
def test_a_cuda_header_has_its_counterpart(include: str, verdict: Verdict, hip: str) -> None:
    answer = resolve_header(include, TARGET)
    assert answer is not None
    assert (answer.verdict, answer.hip) == (verdict, hip)
    assert answer.evidence


@pytest.mark.parametrize("include", ["stdio.h", "vector", "util/cuda_runtime.h", ""])
def test_a_header_that_is_not_cudas_has_no_answer(include: str) -> None:
    assert resolve_header(include, TARGET) is None


def test_a_header_of_a_later_release_is_later() -> None:
    answer = resolve_header("cooperative_groups/reduce.h", TARGET)
    assert answer is not None
    assert answer.verdict is Verdict.LATER
    assert answer.better in known_releases()


def test_every_table_belongs_to_a_known_library() -> None:
    assert set(table_keys()) <= set(known_components())
    for name in ("cudaMalloc", "cublasSgemm", "ncclAllReduce", "cudnnCreate"):
        assert load_tables().resolve(name, TARGET).library in known_components()
