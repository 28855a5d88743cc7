"""Kernels as the compiler knows them: shared memory in bytes, launch bounds, instantiations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from migrate.model.semantic import KernelInstance
from migrate.parse.clang.kernels import bodies
from migrate.parse.clang.kernels.calls import CallObserver
from migrate.parse.clang.kernels.expressions import arguments_of, integer_of
from migrate.parse.clang.kernels.kernels import KernelObserver
from migrate.parse.clang.walk import walk_unit
from tests.parse_clang.parsing import parse_text, parse_texts


def kernels(
    tmp_path: Path, text: str, headers: Mapping[str, str] | None = None, *, errors: bool = False
) -> tuple[KernelInstance, ...]:
    unit, files = parse_texts(tmp_path, text, headers or {}, errors=errors)
    observer = KernelObserver(unit, files)
    walk_unit(unit, files, [observer])
    return observer.finish()


def sizes(tmp_path: Path, text: str, headers: Mapping[str, str] | None = None) -> dict[str, int]:
    """Static shared memory by the kernel's name and arguments."""
    return {
        f"{one.name}<{one.arguments}>" if one.arguments else one.name: one.static_shared
        for one in kernels(tmp_path, text, headers)
    }


def bounds(
    tmp_path: Path, text: str, headers: Mapping[str, str] | None = None
) -> list[tuple[int | None, ...]]:
    return [one.launch_bounds for one in kernels(tmp_path, text, headers)]


def test_shared_variables_are_summed_with_their_types_sizes(tmp_path: Path) -> None:
    text = """
    constexpr int TILE = 16;
    struct Pair { double a; float b; };
    __global__ void k() {
      __shared__ float tile[TILE][TILE + 1];
      { __shared__ Pair pairs[2]; }
      __shared__ bool flag;
      int none[100];
    }
    """
    assert sizes(tmp_path, text) == {"k": 4 * 16 * 17 + 2 * 16 + 1}


def test_each_instantiation_has_its_own_size(tmp_path: Path) -> None:
    text = """
    template <typename T, int N> __global__ void k(T* p) { __shared__ T s[N * 2]; }
    template __global__ void k<double, 8>(double*);
    void f() { k<float, 64><<<1, 2>>>(nullptr); }
    """
    assert sizes(tmp_path, text) == {"k<float, 64>": 512, "k<double, 8>": 128}


def test_a_template_that_nothing_instantiates_has_a_size_if_its_text_tells(tmp_path: Path) -> None:
    text = """
    template <int N> __global__ void open() { __shared__ char s[N]; }
    template <int N> __global__ void fixed() { __shared__ char s[9]; }
    """
    assert sizes(tmp_path, text) == {"open": -1, "fixed": 9}


def test_what_called_functions_share_counts_once(tmp_path: Path) -> None:
    text = """
    #include "sum.h"
    __global__ void k() { __shared__ char c; sum<32>(1); sum<32>(2); sum<64>(3); helper(); }
    """
    header = """
    __device__ inline void helper() { __shared__ double d[4]; }
    template <int N> __device__ void sum(float x) { __shared__ float s[N]; helper(); }
    """
    assert sizes(tmp_path, text, {"sum": header}) == {"k": 1 + 32 + 128 + 256}


def test_a_librarys_storage_counts_with_its_size(tmp_path: Path) -> None:
    text = """
    #include <cub/cub.cuh>
    template <int N> __global__ void k() {
      __shared__ typename cub::BlockReduce<float, N>::TempStorage storage;
    }
    void f() { k<256><<<1, 2>>>(); }
    """
    assert sizes(tmp_path, text) == {"k<256>": 32}


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k() { extern __shared__ float s[]; s[0] = 1; }",
        "extern __shared__ float s[]; __global__ void k() { s[0] = 1; }",
        """__device__ float* get() { extern __shared__ float s[]; return s; }
        __global__ void k() { get()[0] = 1; }""",
        """template <typename T> struct Get {
          __device__ operator T*() { extern __shared__ int s[]; return (T*)s; }
        };
        __global__ void k() { float* p = Get<float>(); }""",
    ],
)
def test_memory_that_the_launch_gives_is_dynamic(tmp_path: Path, text: str) -> None:
    (kernel,) = kernels(tmp_path, text)
    assert (kernel.static_shared, kernel.dynamic_shared) == (0, True)


def test_a_file_scope_array_that_a_kernel_leaves_alone_is_not_its_own(tmp_path: Path) -> None:
    (kernel,) = kernels(tmp_path, "extern __shared__ float s[]; __global__ void k() {}")
    assert not kernel.dynamic_shared


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("__launch_bounds__(256)", (256,)),
        ("__launch_bounds__(THREADS, 2)", (128, 2)),
        ("__launch_bounds__(ns::SIZE + E5 /* five */)", (14,)),
        ("BOUNDS", (128, 3)),
        ("__attribute__((launch_bounds(0x40, 1 << 2)))", (64, 4)),
        ("__launch_bounds__(sizeof(int) * 32)", (None,)),
        ("__launch_bounds__(twice(64), 1)", (None, 1)),
        ("", ()),
    ],
)
def test_launch_bounds_are_values_however_written(
    tmp_path: Path, written: str, expected: tuple[int | None, ...]
) -> None:
    text = f"""
    #define WARP 32
    #define THREADS (WARP * \\
                     4)
    #define BOUNDS __launch_bounds__(THREADS, 3)
    namespace ns {{ constexpr int SIZE = 9; }}
    enum {{ E5 = 5 }};
    constexpr int twice(int n) {{ return 2 * n; }}
    __global__ void {written} k() {{}}
    """
    assert bounds(tmp_path, text) == [expected]


def test_launch_bounds_of_a_template_are_those_of_the_instantiation(tmp_path: Path) -> None:
    text = """
    struct Traits { static constexpr int kThreads = 192; };
    template <class T, int N> __global__ void
        __launch_bounds__(T::kThreads, N > 4 ? N - 4 : 1) k() {}
    void f() { k<Traits, 6><<<1, 2>>>(); k<Traits, 1><<<1, 2>>>(); }
    """
    assert bounds(tmp_path, text) == [(192, 1), (192, 2)]


def test_launch_bounds_of_a_template_without_arguments_are_unknown(tmp_path: Path) -> None:
    text = "template <int N> __global__ void __launch_bounds__(N, 2) k() {}"
    assert bounds(tmp_path, text) == [(None, 2)]


def test_attributes_are_named(tmp_path: Path) -> None:
    text = """
    #define SLOW __noinline__
    __global__ void SLOW __cluster_dims__(2, 1, 1) k(const __grid_constant__ int n) {}
    """
    (kernel,) = kernels(tmp_path, text)
    assert kernel.attributes == ("__noinline__", "__cluster_dims__", "__grid_constant__")


@pytest.mark.parametrize(
    ("template", "launch", "arguments"),
    [
        ("typename... A", "k<int, char>", "int, char"),
        ("typename T, typename... A", "k<float, int, char>", "float, int, char"),
        ("bool B, auto V", "k<true, -3>", "true, -3"),
        ("Mode M", "k<Mode::FAST>", "Mode::FAST"),
        ("typename T", "k<Box<int>>", "Box<int>"),
        ("typename T, int N = 7", "k<unsigned>", "unsigned int, 7"),
        ("unsigned char A, char B, signed char C", "k<1, '>', '<'>", "1, 62, 60"),
    ],
)
def test_arguments_are_spelt_as_a_person_would(
    tmp_path: Path, template: str, launch: str, arguments: str
) -> None:
    text = f"""
    enum class Mode {{ SLOW, FAST }};
    template <typename T> struct Box {{}};
    template <{template}> __global__ void k() {{}}
    void f() {{ {launch}<<<1, 2>>>(); }}
    """
    assert [one.arguments for one in kernels(tmp_path, text)] == [arguments]


def test_a_lambdas_type_is_spelt_without_the_machines_path(tmp_path: Path) -> None:
    text = """
    template <class F> __global__ void each(F f) { f(1); }
    void f() { each<<<1, 2>>>([] __device__ (int x) { return x; }); }
    """
    assert [one.arguments for one in kernels(tmp_path, text)] == ["(lambda)"]


def test_bodies_that_another_observer_gathers_are_enough(tmp_path: Path) -> None:
    text = """
    template <int N> __global__ void k() { __shared__ int s[N]; }
    void f() { k<4><<<1, 2>>>(); }
    """
    unit, files = parse_text(tmp_path, text)
    calls = CallObserver(unit, files)
    observer = KernelObserver(unit, files, calls.bodies)
    walk_unit(unit, files, [calls, observer])
    assert [one.static_shared for one in observer.finish()] == [16]
    assert [edge.arguments for edge in calls.finish()[1]] == ["4"]


def test_a_unit_with_errors_still_says_what_it_understands(tmp_path: Path) -> None:
    text = """
    #include <nowhere.h>
    template <int N> __global__ void k() { __shared__ int s[N]; __shared__ missing_t t; }
    __global__ void good() { __shared__ int s[2]; undeclared(); }
    """
    found = kernels(tmp_path, text, errors=True)
    assert {one.name: one.static_shared for one in found}["good"] == 8


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("1'024u", 1024),
        ("0b101 | 0x10 | 010", 29),
        ("3 > 2 && !(1 == 2) ? 10 : 20", 10),
        ("~0 & 31", 31),
        ("N::kSize * 2", 24),
        ("::N::kSize", 12),
    ],
)
def test_an_integer_expression_is_worked_out_as_in_cpp(text: str, value: int) -> None:
    assert integer_of(text, {"N::kSize": 12}.get) == value


@pytest.mark.parametrize(
    "text",
    ["", "unknown", "1 +", "f(2)", "1 / 0", "1 << 200", "1.5", "sizeof(int)", "'a'",
     "(" * 5000, "-" * 5000, "1 2", "int(3)"],
)  # fmt: skip
def test_what_is_no_known_integer_has_no_value(text: str) -> None:
    assert integer_of(text, {"f": 1, "int": 2}.get) is None


def test_arguments_end_where_their_bracket_closes() -> None:
    assert arguments_of(" (a, f(b, c) /* , */, d) e)") == ["a", "f(b, c)", "d"]
    assert arguments_of("(a, b") is None
    assert arguments_of("a") is None


def test_a_template_instantiated_often_says_what_each_instantiation_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
    #define TWICE(x) one(x); two(x)
    __device__ void one(int) { __shared__ char c; }
    __device__ void two(int) { __shared__ short s; }
    __device__ void two(float) { __shared__ double d; }
    struct V { int x; }; __device__ V operator+(V a, V b) { __shared__ int i; return a; }
    template <int N> struct Trait { static __device__ void f() { __shared__ char c[N]; } };
    template <typename T, int N> __device__ T sum(T x) { __shared__ T s[N]; return x; }
    template <typename T, int N> __global__ void k(T x) {
      one(3);
      int i = 3 * 4; TWICE(i);
      if constexpr (N > 3) { two(1); } else { one(2); }
      for (int n = 0; n < N; n++) { i += n; two(x); sum<T, N>(x); { Trait<N>::f(); } }
      extern __shared__ float dyn[];
      dyn[0] = i;
    }
    template <typename T> __global__ void add(T x) { x = x + x; T y = x; }
    template <typename T> void run(T x) {
      k<T, 1><<<1, 2>>>(x); k<T, 2><<<1, 2>>>(x); k<T, 3><<<1, 2>>>(x); k<T, 4><<<1, 2>>>(x);
      k<T, 5><<<1, 2>>>(x);
    }
    void f() {
      run(1); run(1.f); run('c'); run((short)1); add(1); add(1.f); add('c'); add(V());
    }
    """.replace("add(", "add<<<1, 2>>>(").replace("add<<<1, 2>>>(T x)", "add(T x)")
    found = []
    for few in (0, 2, 10_000):
        monkeypatch.setattr(bodies, "_FEW", few)
        unit, files = parse_text(tmp_path, text)
        calls = CallObserver(unit, files)
        observer = KernelObserver(unit, files, calls.bodies)
        walk_unit(unit, files, [calls, observer])
        found.append((calls.finish(), observer.finish()))
    assert len(found[0][1]) == 24
    assert found[0] == found[2]
    assert found[1] == found[2]
