"""Every HIP or ROCm name that a row claims is held against the symbols of the known releases."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.releases import known_releases
from migrate.knowledge.rows import ApiRow, has_any
from migrate.knowledge.symbols import expected_hip_name, load_symbols, symbol_library
from migrate.model.target import RocmRelease
from tests.upkeep.claims import (
    claims,
    contradicted,
    exception_for,
    exceptions,
    overlooked,
    undeclared,
)


@cache
def checked_rows() -> list[ApiRow]:
    """The rows with a name that a C library of ROCm would declare."""
    return [row for row in load_tables().all_rows() if any(claims(row, load_symbols()))]


def test_every_claimed_name_is_declared_in_every_covered_release() -> None:
    wrong = contradicted(load_tables(), load_symbols())
    assert not wrong, "\n".join(wrong)


def test_what_is_missing_has_no_symbol_of_its_spelling_or_a_note_that_says_why_not() -> None:
    wrong = overlooked(load_tables(), load_symbols())
    assert not wrong, "\n".join(wrong)


def test_no_name_comes_later_than_a_release_that_declares_it() -> None:
    wrong = []
    for row in checked_rows():
        forms = load_tables().rows_of(row.name)
        early = [
            str(release)
            for release in known_releases()
            if load_symbols().has(row.hip, release)
            and not any(other.hip == row.hip and other.holds(release) for other in forms)
            and not has_any(release, row.until)
        ]
        if row.since and early:
            wrong.append(f"{row.library}: {row.name} -> {row.hip} is in {', '.join(early)}")
    assert not wrong, "\n".join(wrong)


def test_the_check_reaches_thousands_of_names() -> None:
    reviewed = exceptions()
    checked = Counter(row.library for row in checked_rows() if not exception_for(row, reviewed))
    assert checked["runtime"] > 900
    assert checked["driver"] > 1200
    assert checked["blas"] + checked["blaslt"] > 900
    assert checked["dnn"] > 700
    assert sum(checked.values()) > 5000


def test_every_exception_is_still_needed() -> None:
    reviewed = exceptions()
    needed = {
        exception_for(row, reviewed) for row in checked_rows() if undeclared(row, load_symbols())
    }
    assert set(reviewed) <= needed


def test_a_name_of_no_release_is_reported() -> None:
    row = next(row for row in checked_rows() if row.name == "cudaMalloc")
    assert not undeclared(row, load_symbols())
    assert load_symbols().has("hipNoSuchFunction", RocmRelease(7, 2)) is False
    assert load_symbols().has("hipMalloc", RocmRelease(7, 2)) is True


def test_symbols_of_a_release_nobody_looked_at_are_unknown() -> None:
    assert load_symbols().has("hipMalloc", RocmRelease(10, 2)) is None
    assert load_symbols().has("hipblasLtCreate", RocmRelease(7, 0)) is None
    assert load_symbols().has("hipblasLtCreate", RocmRelease(7, 1)) is True


@pytest.mark.parametrize(
    ("cuda", "folded"),
    [
        ("cudaMemcpyAsync", "hipmemcpyasync"),
        ("CU_DEVICE_ATTRIBUTE_WARP_SIZE", "hipdeviceattributewarpsize"),
        ("cublasLtMatmul", "hipblasltmatmul"),
        ("cudnnCreate", "hipdnncreate"),
        ("__syncthreads", ""),
    ],
)
def test_a_cuda_name_has_one_expected_form(cuda: str, folded: str) -> None:
    assert expected_hip_name(cuda) == folded


def test_tensor_maps_are_the_drivers_and_not_cutensors() -> None:
    assert symbol_library(expected_hip_name("cuTensorMapEncodeTiled")) == "runtime"
    assert symbol_library(expected_hip_name("CU_TENSOR_MAP_SWIZZLE_NONE")) == "runtime"
    assert symbol_library(expected_hip_name("cutensorCreatePlan")) == "tensor"


def test_a_driver_function_may_have_a_counterpart_of_the_drivers_own_name() -> None:
    symbols, release = load_symbols(), RocmRelease(7, 2)
    assert symbols.counterparts("cuLaunchKernelEx", release) == ("hipDrvLaunchKernelEx",)
    assert not symbols.lacks_counterpart("cuLaunchKernelEx", release)
    assert symbols.lacks_counterpart("cuMulticastCreate", release)


def test_a_later_generation_of_wide_integers_is_no_twin_of_the_narrow_call() -> None:
    symbols = load_symbols()
    assert symbols.counterparts("cublasSgemm_v2_64", RocmRelease(7, 2)) == ("hipblasSgemm_64",)
    assert symbols.lacks_counterpart("cublasSgemm_v2_64", RocmRelease(6, 2))


def test_a_preview_lacks_what_the_releases_around_it_lack() -> None:
    symbols, preview = load_symbols(), RocmRelease(7, 12)
    assert symbols.lacks_counterpart("cuMulticastCreate", preview)
    assert not symbols.lacks_counterpart("cuGreenCtxCreate", preview)
    assert not symbols.lacks_counterpart("cublasLtMatmul", preview)
