"""Fragments of matrix products, and GPU code in string literals."""

from __future__ import annotations

import pytest

from migrate.model.mark import MarkKind
from migrate.model.source import Language
from tests.parse.reading import read


def marks(source: str, *kinds: MarkKind) -> list[tuple[int, str, tuple[str, ...]]]:
    facts = read(source, language=Language.CPP)
    return [(mark.line, mark.symbol, mark.values) for mark in facts.marks if mark.kind in kinds]


@pytest.mark.parametrize(
    ("fragment", "values"),
    [
        ("wmma::fragment<wmma::matrix_a, 16, 8, 32, half, wmma::row_major>",
         ("matrix_a", "16", "8", "32", "half")),
        ("nvcuda::wmma::fragment< nvcuda::wmma::accumulator, M, N,\n K, float >",
         ("accumulator", "M", "N", "K", "float")),
        ("fragment<matrix_b, kM, T::N, 16, unsigned  char, col_major>",
         ("matrix_b", "kM", "T::N", "16", "unsigned char")),
    ],
)  # fmt: skip
def test_a_fragment_tells_its_use_shape_and_type(fragment: str, values: tuple[str, ...]) -> None:
    source = f"__global__ void k() {{ {fragment} a; cudaFree(0); }}"
    ((_, symbol, found),) = marks(source, MarkKind.WMMA_FRAGMENT)
    assert found == values
    assert symbol == f"fragment<{', '.join(values)}>"


@pytest.mark.parametrize(
    "other",
    ["fragment<int> a;", "fragment<matrix_a, 16> a;", 'f("fragment<matrix_a, 1, 2, 3, half>");'],
)
def test_other_fragments_are_none(other: str) -> None:
    assert not marks(f"__global__ void k() {{ {other} }}", MarkKind.WMMA_FRAGMENT)


def test_code_in_a_literal_is_found_and_code_in_a_comment_is_not() -> None:
    source = (
        "// __global__ void a()\n"
        "/* .target sm_70 */\n"
        'const char* b = "__global__ void b() {}";\n'
        "__global__ void c() {}\n"
        'const char* d = ".version 7.0\\n.target sm_90a\\n";\n'
        'const char* e = R"(\n'
        "__global__  __launch_bounds__(32) void e() {}\n"
        ')";\n'
        'const char* f = "a __global__ function";\n'
    )
    assert marks(source, MarkKind.KERNEL_TEXT, MarkKind.PTX_TEXT) == [
        (3, "__global__", ()),
        (5, "sm_90a", ()),
        (7, "__global__", ()),
    ]


def test_so_many_kernel_texts_are_a_generator() -> None:
    source = "".join(f'const char* s{i} = "__global__ void k();";\n' for i in range(100))
    assert len(marks(source, MarkKind.KERNEL_TEXT)) == 50
