"""What is read from a binding, by small texts of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upkeep.bindings import read_bindings, read_pxd, split_commas, split_parameter
from tests.upkeep.declared import Declared

HEAD = '# A licence.\nfrom libc.stdint cimport *\ncdef extern from "hip/x.h":\n\n'


def read(text: str) -> list[Declared]:
    return list(read_pxd(HEAD + text, "x.pxd"))


def test_a_function_has_its_parameters_types_and_names_in_order() -> None:
    text = "cdef hipError_t hipGrab(void ** ptr,unsigned long size) except? hipErrorX nogil\n"
    assert read(text) == [
        Declared(
            "hipGrab", "function", "hip/x.h", ("void **", "unsigned long"), "hipError_t",
            names=("ptr", "size"),
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("cdef const char * hipName(int error) nogil", "const char *"),
        ("cdef void hipNothing() noexcept nogil", "void"),
        ("cdef unsigned long hipCount()", "unsigned long"),
    ],
)
def test_a_function_keeps_its_whole_result(line: str, result: str) -> None:
    assert [one.value for one in read(f"{line}\n")] == [result]


def test_a_comment_behind_or_above_a_declaration_is_no_part_of_it() -> None:
    assert read("# cdef int hipNot(int x)\nctypedef bint _Bool # the bool of C\n") == [
        Declared("_Bool", "type", "hip/x.h", (), "bint")
    ]


def test_a_structs_fields_are_its_members_with_their_arrays() -> None:
    text = "    cdef struct Box:\n        char[256] name\n        int sizes[3]\n        Lid * lid\n"
    assert [(one.name, one.kind, one.value) for one in read(text)] == [
        ("Box", "type", ""),
        ("Box::name", "member", "char[256]"),
        ("Box::sizes", "member", "int[3]"),
        ("Box::lid", "member", "Lid *"),
    ]


def test_a_struct_of_another_c_name_and_an_empty_one_have_their_binding_names() -> None:
    text = (
        '    cdef struct Prop "PropR0600":\n        int n\n    cdef struct Opaque:\n        pass\n'
    )
    assert [one.name for one in read(text)] == ["Prop", "Prop::n", "Opaque"]


def test_enumerators_belong_to_no_type_and_keep_a_value_that_is_given() -> None:
    text = "    ctypedef enum:\n        ONE\n        TWO = 2\n    cdef enum Kind:\n        THREE\n"
    assert [(one.name, one.kind, one.value) for one in read(text)] == [
        ("ONE", "enumerator", ""),
        ("TWO", "enumerator", "2"),
        ("Kind", "type", ""),
        ("THREE", "enumerator", ""),
    ]


def test_what_stands_less_far_in_ends_a_block() -> None:
    text = "    cdef enum Kind:\n        ONE\n\n    cdef int LIMIT\ncdef size_t OUTSIDE\n"
    assert [(one.name, one.kind) for one in read(text)][2:] == [
        ("LIMIT", "macro"),
        ("OUTSIDE", "macro"),
    ]


def test_a_type_of_functions_is_named_inside_its_brackets() -> None:
    assert read("    ctypedef void (*Back_t) (Stream_t,void *)\n") == [
        Declared("Back_t", "type", "hip/x.h", (), "void (*)(Stream_t,void *)")
    ]


@pytest.mark.parametrize(
    ("written", "parted"),
    [
        ("int n", ("int", "n")),
        ("const float *const* x", ("const float *const*", "x")),
        ("void *const descr", ("void *const", "descr")),
        ("unsigned int (**vectors)[32]", ("unsigned int (**)[32]", "vectors")),
        ("unsigned int", ("unsigned int", "")),
        ("void *", ("void *", "")),
    ],
)
def test_a_parameters_name_is_its_last_word(written: str, parted: tuple[str, str]) -> None:
    assert split_parameter(written) == parted


def test_commas_inside_brackets_part_nothing() -> None:
    assert split_commas("a, b(c, d), e<f, g>") == ["a", "b(c, d)", "e<f, g>"]


def test_a_line_of_no_known_shape_is_an_error_that_says_where() -> None:
    with pytest.raises(ValueError, match=r"x\.pxd:5: cdef inline something"):
        read("cdef inline something:\n")


def test_the_files_with_cython_classes_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "chip.pxd").write_text(f"{HEAD}cdef int hipOne()\n")
    (tmp_path / "hip.pxd").write_text("from . cimport chip\ncdef class Box:\n    pass\n")
    assert [one.name for one in read_bindings(tmp_path)] == ["hipOne"]
