"""What is read from a header, by small headers of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upkeep.declared import Declared, read_headers

CXX = ("-x", "c++", "-std=c++17")


def read(tmp_path: Path, text: str, **others: str) -> list[Declared]:
    (tmp_path / "own.h").write_text(text)
    for name, other in others.items():
        (tmp_path / f"{name}.h").write_text(other)
    return read_headers(["own.h"], [tmp_path], CXX)


def names(found: list[Declared], kind: str) -> list[str]:
    return [one.name for one in found if one.kind == kind]


def test_a_function_has_its_canonical_types_names_result_and_defaults(tmp_path: Path) -> None:
    (found,) = [
        one
        for one in read(
            tmp_path,
            "typedef struct Queue_st *Queue_t;\n"
            'extern "C" int queuePush(Queue_t queue, const void *data, unsigned flags = 0);\n',
        )
        if one.kind == "function"
    ]
    assert found.name == "queuePush"
    assert found.parameters == ("Queue_st *", "const void *", "unsigned int")
    assert found.names == ("queue", "data", "flags")
    assert (found.value, found.defaults, found.header) == ("int", 1, "own.h")


def test_templates_and_overloads_are_functions(tmp_path: Path) -> None:
    found = read(tmp_path, "template <class T> T twice(T x);\nint twice(int x);\n")
    assert names(found, "function") == ["twice", "twice"]


def test_fields_of_a_typedef_stand_under_the_name_that_people_write(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "typedef struct { int size; union { int a; float b; }; struct { int in; } part; } Shape_t;",
    )
    assert names(found, "type") == ["Shape_t"]
    assert names(found, "member") == ["Shape_t::size", "Shape_t::a", "Shape_t::b", "Shape_t::part"]
    assert [one.value for one in found if one.kind == "member"][:3] == ["int", "int", "float"]


def test_a_nameless_type_is_spelt_without_its_place(tmp_path: Path) -> None:
    (found,) = [
        one
        for one in read(tmp_path, "struct Shape { struct { int in; } part; };")
        if one.kind == "member"
    ]
    assert found.value == "Shape::(unnamed struct)"


def test_enumerators_have_values_and_scoped_ones_their_type(tmp_path: Path) -> None:
    found = read(tmp_path, "enum Mode { MODE_A, MODE_B = 7 };\nenum class Way { up };\n")
    assert [(one.name, one.value) for one in found if one.kind == "enumerator"] == [
        ("MODE_A", "0"),
        ("MODE_B", "7"),
        ("Way::up", "0"),
    ]


def test_namespaces_that_number_an_interface_are_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, "namespace kit { inline namespace __v1 { void run(); } }\n")
    assert names(found, "function") == ["kit::run"]


def test_macros_have_their_text(tmp_path: Path) -> None:
    found = read(tmp_path, "#define queuePush queuePush_v2\n#define QUEUE_H\n")
    assert {one.name: one.value for one in found} == {"queuePush": "queuePush_v2", "QUEUE_H": ""}


def test_what_a_header_includes_is_not_its_own(tmp_path: Path) -> None:
    found = read(tmp_path, '#include "other.h"\nvoid mine();\n', other="void theirs();\n")
    assert names(found, "function") == ["mine"]


def test_a_type_that_is_not_there_is_read_as_int_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = read(tmp_path, '#include "absent.h"\nvoid first(Nothing x);\nvoid second(long x);\n')
    parameters = {one.name: one.parameters for one in found if one.kind == "function"}
    assert parameters == {"first": ("int",), "second": ("long",)}
    assert "2 errors, the first: " in capsys.readouterr().err


def test_headers_that_are_included_by_a_way_around_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "top.h").write_text('#include "part/inner.h"\nvoid top();\n')
    (tmp_path / "part" / "inner.h").write_text('#include "../side.h"\nvoid inner();\n')
    (tmp_path / "side.h").write_text("#pragma once\nvoid side();\n")
    (tmp_path / "void.h").write_text("#pragma once\n")
    found = read_headers(["part/inner.h", "side.h", "top.h", "void.h"], [tmp_path], CXX)
    assert {one.name: one.header for one in found} == {
        "top": "top.h", "inner": "part/inner.h", "side": "side.h",
    }  # fmt: skip
    assert "nothing declared in void.h" in capsys.readouterr().err


def test_a_header_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"absent\.h"):
        read_headers(["absent.h"], [tmp_path], CXX)
