"""Every HIP name that a row claims is held against the symbols of the releases that are known."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from functools import cache

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.releases import known_releases
from migrate.knowledge.rows import ApiRow
from migrate.knowledge.symbols import expected_hip_name, load_symbols, symbol_library
from migrate.knowledge.tables import table_rows
from migrate.model.target import RocmRelease


@cache
def exceptions() -> tuple[tuple[str, str], ...]:
    rows = table_rows("library,name,reason", "symbol_exceptions.csv")
    return tuple((library, pattern) for library, pattern, reason in rows if reason)


def exception_for(row: ApiRow) -> tuple[str, str] | None:
    return next(
        (
            (library, pattern)
            for library, pattern in exceptions()
            if library == row.library and fnmatchcase(row.name, pattern)
        ),
        None,
    )


def checked_rows() -> list[ApiRow]:
    """The rows with a HIP name that a C library of ROCm would declare."""
    return [
        row
        for row in load_tables().all_rows()
        if row.hip
        and "*" not in row.hip
        and "::" not in row.hip
        and symbol_library(row.hip)
        and load_symbols().covered(symbol_library(row.hip))
    ]


def undeclared(row: ApiRow) -> list[RocmRelease]:
    """The covered releases for which the row claims a name that they do not declare."""
    return [
        release
        for release in known_releases()
        if row.since and row.holds(release) and load_symbols().has(row.hip, release) is False
    ]


def test_every_claimed_name_is_declared_in_every_covered_release() -> None:
    wrong = [
        f"{row.library}: {row.name} -> {row.hip} is not in {', '.join(map(str, missing))}"
        for row in checked_rows()
        if (missing := undeclared(row)) and exception_for(row) is None
    ]
    assert not wrong, "\n".join(wrong)


def test_the_check_reaches_thousands_of_names() -> None:
    checked = Counter(row.library for row in checked_rows() if exception_for(row) is None)
    assert checked["runtime"] > 900
    assert checked["driver"] > 1200
    assert checked["blas"] + checked["blaslt"] > 900
    assert sum(checked.values()) > 4000


def test_every_exception_is_still_needed() -> None:
    needed = {exception_for(row) for row in checked_rows() if undeclared(row)}
    assert set(exceptions()) <= needed


def test_a_name_of_no_release_is_reported() -> None:
    row = next(row for row in checked_rows() if row.name == "cudaMalloc")
    assert not undeclared(row)
    assert load_symbols().has("hipNoSuchFunction", RocmRelease(7, 2)) is False
    assert load_symbols().has("hipMalloc", RocmRelease(7, 2)) is True


def test_symbols_of_a_release_nobody_looked_at_are_unknown() -> None:
    assert load_symbols().has("hipMalloc", RocmRelease(10, 2)) is None
    assert load_symbols().has("hipblasLtCreate", RocmRelease(7, 2)) is None


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
