"""What is said of a newer package."""

from __future__ import annotations

from tests.upkeep.changes import changes
from tests.upkeep.declared import Declared


def function(name: str, *parameters: str) -> Declared:
    return Declared(name, "function", "own.h", parameters, "int")


def test_names_that_came_went_and_changed_are_told_apart() -> None:
    old = [function("kept", "int"), function("gone", "int"), function("grown", "int")]
    new = [function("grown", "int", "void *"), function("kept", "int"), function("added")]
    assert changes(old, new) == [
        "+ function added int()",
        "- function gone int(int)",
        "~ function grown int(int) -> int(int, void *)",
    ]


def test_a_move_to_another_header_is_no_change() -> None:
    moved = Declared("cudaMove", "function", "b.h", ("int",), "int")
    assert changes([function("cudaMove", "int")], [moved]) == []


def test_values_and_field_types_count() -> None:
    old = [
        Declared("MODE", "enumerator", "a.h", (), "1"),
        Declared("S::x", "member", "a.h", (), "int"),
    ]
    new = [
        Declared("MODE", "enumerator", "a.h", (), "2"),
        Declared("S::x", "member", "a.h", (), "long"),
    ]
    assert changes(old, new) == ["~ enumerator MODE 1 -> 2", "~ member S::x int -> long"]


def test_a_new_overload_changes_a_name() -> None:
    old, new = [function("run", "int")], [function("run", "int"), function("run", "float")]
    assert changes(old, new) == ["~ function run int(int) -> int(float) | int(int)"]


def test_guards_are_no_change() -> None:
    assert changes([], [Declared("OWN_H", "macro", "own.h")]) == []
