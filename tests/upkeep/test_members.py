"""Which fields of a struct want a row."""

from __future__ import annotations

import pytest

from migrate.knowledge.apis import load_tables
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Verdict
from tests.upkeep.declared import Declared
from tests.upkeep.members import check_members, struct_fields

TWINS = ("ptr", "pitch", "xsize", "ysize")


def struct(name: str, *fields: str) -> list[Declared]:
    return [Declared(f"{name}::{field}", "member", "own.h", (), "int") for field in fields]


def problems(ours: tuple[str, ...], theirs: tuple[str, ...] = TWINS) -> list[str]:
    return check_members(
        {"12.9": struct("cudaPitchedPtr", *ours)},
        {"7.2": struct("hipPitchedPtr", *theirs), "10.0": struct("hipPitchedPtr", *TWINS)},
        load_tables(),
    )


def test_fields_with_a_twin_of_their_name_want_no_row() -> None:
    assert problems(TWINS) == []


def test_a_field_without_twin_and_row_is_reported_with_its_releases() -> None:
    assert problems((*TWINS, "zsize")) == [
        "cudaPitchedPtr::zsize has no row, nor a twin in hipPitchedPtr of ROCm 7.2 10.0"
    ]
    assert problems((*TWINS, "zsize"), (*TWINS, "zsize")) == [
        "cudaPitchedPtr::zsize has no row, nor a twin in hipPitchedPtr of ROCm 10.0"
    ]


def test_a_row_whose_field_hip_has_not_is_reported() -> None:
    found = check_members(
        {"12.9": struct("cudaDeviceProp", "warpSize")},
        {"7.2": struct("hipDeviceProp_t", "name")},
        load_tables(),
    )
    said = "cudaDeviceProp::warpSize is warpSize by its row, which is not in hipDeviceProp_t"
    assert found == [f"{said} of ROCm 7.2"]


@pytest.mark.parametrize("field", ["reserved", "_pad1", "__reserved2", "padding", "asBytes"])
def test_filling_wants_no_row(field: str) -> None:
    assert problems((*TWINS, field)) == []


@pytest.mark.parametrize("field", ["reservedSharedMemPerBlock", "pAdapter", "reserveDeviceMB"])
def test_a_field_that_only_begins_like_filling_wants_one(field: str) -> None:
    assert len(problems((*TWINS, field))) == 1


def test_a_typedef_shares_the_rows_of_its_struct_and_no_other_struct_does() -> None:
    alias = Declared("cudaPitchedPtr", "type", "own.h", (), "struct cudaDeviceProp")
    fields = ("warpSize", "name")
    theirs = {"7.2": struct("hipPitchedPtr", "name") + struct("hipDeviceProp_t", *fields)}
    ours = [*struct("cudaPitchedPtr", *fields), *struct("cudaDeviceProp", *fields)]
    said = "cudaPitchedPtr::warpSize"
    (shared,) = check_members({"12.9": [*ours, alias]}, theirs, load_tables())
    assert shared.startswith(f"{said} is warpSize by its row")
    (alone,) = check_members({"12.9": ours}, theirs, load_tables())
    assert alone.startswith(f"{said} has no row")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC", "hipExternalMemoryMipmappedArrayDesc"),
        ("cudaDevWorkqueueResource", "hipDevWorkqueueResource"),
    ],
)
def test_structs_that_are_changed_or_missing_answer_for_their_fields(
    ours: str, theirs: str
) -> None:
    answer = load_tables().resolve(ours, Target(RocmRelease(7, 2), ("gfx942",)))
    assert answer.verdict is Verdict.CHANGED or answer.verdict.cuda_only
    found = {"12.9": struct(ours, "notThere")}, {"7.2": struct(theirs, "other")}
    assert check_members(*found, load_tables()) == []


def test_nameless_parts_count_as_the_struct_s_own_and_named_ones_do_not() -> None:
    found = [
        *struct("hipThing_st", "id", "part"),
        *struct("hipThing_st_union_0", "value"),
        Declared("hipThing_st::part", "member", "own.h", (), "hipThing_st_struct_1"),
        *struct("hipThing_st_struct_1", "inner"),
        Declared("hipThing", "type", "own.h", (), "hipThing_st"),
    ]
    assert struct_fields(found)["hipThing"] == {"id", "part", "value"}
