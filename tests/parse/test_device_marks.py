"""What device code does beyond CUDA's names, and the host loops with CUDA in them."""

from __future__ import annotations

import time

import pytest

from migrate.model.mark import MarkKind
from migrate.parse.marks.finders import FINDERS
from tests.parse.reading import read, symbols

_OURS = (
    *(MarkKind.DEVICE_CALL, MarkKind.RECURSION, MarkKind.DEVICE_VIRTUAL),
    *(MarkKind.DEVICE_POINTER, MarkKind.EXTERN_DEVICE, MarkKind.LOOP),
)


def marks(source: str, *kinds: MarkKind) -> list[tuple[str, int]]:
    return [(one.symbol, one.line) for one in read(source).marks if one.kind in kinds]


def loops(body: str) -> list[tuple[int, int, tuple[str, ...]]]:
    found = read(f"void f(int n) {{\n{body}\n}}\n").marks
    return [
        (one.line - 1, one.end_line - 1, one.values) for one in found if one.kind is MarkKind.LOOP
    ]


def test_the_heap_of_device_code_is_told_from_the_hosts() -> None:
    source = "__global__ void k() { int* a = new int[4]; }\nvoid f() { int* a = new int[4]; }\n"
    assert marks(source, MarkKind.DEVICE_CALL) == [("new", 1)]


def test_placement_new_and_members_called_malloc_allocate_nothing() -> None:
    source = "__device__ void f(P& p, char* at) { p.malloc(4); T* t = new (at) T; }\n"
    assert marks(source, MarkKind.DEVICE_CALL) == []


def test_a_function_with_an_overload_is_not_taken_for_a_recursive_one() -> None:
    one = "__device__ int f(int a, int b) { return f(a - 1, b); }\n"
    assert marks(one, MarkKind.RECURSION) == [("f", 1)]
    assert marks(one + "__device__ int f(float a, int b);\n", MarkKind.RECURSION) == [("f", 1)]
    both = one + "__device__ int f(long a, int b) { return 0; }\n"
    assert marks(both, MarkKind.RECURSION) == []


def test_another_number_of_arguments_is_another_function() -> None:
    source = "__device__ int f(int a, int b) { return f(a); }\n"
    assert marks(source, MarkKind.RECURSION) == []


def test_a_pointer_type_counts_where_a_kernel_takes_it_and_not_where_one_is_returned() -> None:
    source = (
        "typedef float (*op_t)(float);\n"
        "__device__ op_t pick();\n"
        "__device__ op_t choose() { return nullptr; }\n"
        "__global__ void k(op_t op) { op(1.f); }\n"
        "void host(op_t op);\n"
    )
    assert marks(source, MarkKind.DEVICE_POINTER) == [("op_t", 4)]


def test_a_loop_ends_with_its_body_with_or_without_braces() -> None:
    body = "for (int i = 0; i < n; i++) {\n cudaFree(p[i]);\n}\nfor (auto& q : all)\n cudaFree(q);"
    assert loops(body) == [(1, 3, ("i", "")), (4, 5, ("q", ""))]


def test_a_loop_in_a_loop_and_behind_an_if_has_its_own_end() -> None:
    body = "while (n) {\n for (int j = 0; j < n; j++)\n if (j) {\n cudaFree(p);\n }\n n--;\n}\n"
    assert loops(body) == [(1, 7, ("", "")), (2, 5, ("j", ""))]


def test_a_do_loop_is_one_loop_and_what_takes_the_time_says_so() -> None:
    assert loops("do {\n cudaFree(p);\n startTimer();\n} while (n);") == [(1, 4, ("", "timed"))]


def test_loops_without_cuda_or_in_device_code_are_none() -> None:
    assert loops("for (;;) { g(); }\ncudaFree(p);") == []
    source = "__global__ void k() { for (;;) { cudaFree(p); } }"
    assert marks(source, MarkKind.LOOP) == []


@pytest.mark.parametrize(
    "declared",
    [
        "texture<float, 2, cudaReadModeElementType> t;",
        "static texture<uchar4, cudaTextureType2D> t, u;",
        "texture<int4> t;",
        "#define TEX texture<float, 1> t",
    ],
)
def test_a_texture_reference_is_a_use(declared: str) -> None:
    assert "texture" in symbols(f"__global__ void k() {{ }}\n{declared}\n")


@pytest.mark.parametrize(
    "declared",
    [
        "int texture = 3;",
        "texture<Image> t;",
        "texture<float, Filter> t;",
        "bool b = texture < 3 && n > m;",
        "template <class T, int N> class texture; texture<float, 2> t;",
        "void f() { texture<float, 2> t; }",
    ],
)
def test_other_textures_are_the_programs_own(declared: str) -> None:
    assert "texture" not in symbols(f"__global__ void k() {{ }}\n{declared}\n")


N = 5_000
LARGE = {
    "loops": b"void f() { " + b"for (cudaFree(p);;) {" * N + b"}" * N + b"}",
    "loops without end": b"void f() { " + b"for (cudaFree(" * N,
    "loops without braces": b"void f() { " + b"for (;;) while (x) " * N + b"cudaFree(p); }",
    "recursion": b"__device__ int f(int a) { " + b"f(a); f(" * N + b"}",
    "many functions": b"".join(
        b"__device__ int f%d(int a) { f%d(a); }\n" % (i, i) for i in range(N)
    ),
    "pointer types": b"".join(b"typedef int (*t%d)(int);\n" % i for i in range(N))
    + b"__device__ t1 x = 0;" * N,
    "virtual": b"__device__ virtual " * N,
    "extern": b"extern __device__ " * N,
    "textures": b"__device__ int i;\n" + b"texture<float, " * N,
    "new": b"__device__ void f() {" + b"new T; " * N + b"}",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_files_are_searched_in_linear_time(name: str) -> None:
    source = LARGE[name]
    start = time.process_time()
    kept = [mark for mark in read(source).marks if mark.kind in _OURS]
    assert time.process_time() - start < 10
    assert len(kept) <= N


def test_no_finder_is_asked_twice() -> None:
    assert len(set(map(id, FINDERS))) == len(FINDERS)
