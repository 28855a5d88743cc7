"""What the runtime's and the driver's tables claim, held against what is known of the releases."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.rows import ApiRow
from migrate.knowledge.symbols import load_symbols
from migrate.model.resolution import Resolution
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Verdict

TABLES = ("runtime", "driver")


def resolve(name: str, rocm: str) -> Resolution:
    return load_tables().resolve(name, Target(RocmRelease.parse(rocm), ("gfx942",)))


def rows() -> list[ApiRow]:
    return [row for row in load_tables().all_rows() if row.library in TABLES]


@pytest.mark.parametrize("rocm", ["6.2", "7.2", "10.0"])
def test_no_answer_is_a_guess_where_the_symbols_are_known(rocm: str) -> None:
    names = {row.name for row in rows() if "*" not in row.name}
    assert not [name for name in names if resolve(name, rocm).confidence is Confidence.POSSIBLE]


def test_a_mapping_names_its_first_release() -> None:
    assert not [row.name for row in rows() if row.hip and not row.since]


def test_names_without_a_mapping_were_looked_at_in_2026() -> None:
    old = [row.name for row in rows() if row.verdict is Verdict.MISSING and row.as_of < "2026-08"]
    assert not old


def test_a_member_belongs_to_what_its_struct_becomes() -> None:
    """``cudaMemPoolProps::location`` is in the struct that the row of cudaMemPoolProps names."""
    structs: dict[str, set[str]] = defaultdict(set)
    for row in rows():
        if row.kind == "data":
            structs[row.name].add(row.hip)
    wrong = [
        f"{row.name} -> {row.hip}"
        for row in rows()
        if row.kind == "member"
        and row.hip
        and row.verdict is not Verdict.REPLACED
        and (becomes := structs[row.name.split("::")[0]])
        and row.hip.split("::")[0] not in becomes
    ]
    assert not wrong, "\n".join(wrong)


def test_an_enumerator_of_a_kind_maps_within_that_kind() -> None:
    """A device attribute is never mapped to something that is none."""
    for row in rows():
        if re.match(r"cudaDevAttr|CU_DEVICE_ATTRIBUTE_", row.name) and row.hip:
            assert row.hip.startswith("hipDeviceAttribute"), row.name
        if re.match(r"cudaError[A-Z]|CUDA_ERROR_", row.name) and row.hip:
            assert row.hip.startswith("hipError"), row.name


def test_both_tables_map_a_device_attribute_alike() -> None:
    """One attribute of HIP has one verdict and one first release, asked by either API."""
    claims: dict[str, set[tuple[Verdict, tuple[RocmRelease, ...]]]] = defaultdict(set)
    for row in rows():
        if row.kind == "data" and re.match("hipDeviceAttribute(?!_t$)", row.hip):
            claims[row.hip].add((row.verdict, row.since))
    assert not [name for name, seen in claims.items() if len({verdict for verdict, _ in seen}) > 1]


def test_every_symbol_of_the_newest_release_that_looks_like_cuda_is_claimed_or_refused() -> None:
    """No function of HIP 10.0 waits beside a row that says "missing" and gives no reason."""
    symbols, newest = load_symbols(), RocmRelease(10, 0)
    silent = [
        row.name
        for row in rows()
        if row.verdict is Verdict.MISSING
        and not row.note
        and "::" not in row.name
        and "*" not in row.name
        and row.kind == "function"
        and not symbols.lacks_counterpart(row.name, newest)
    ]
    assert not silent
