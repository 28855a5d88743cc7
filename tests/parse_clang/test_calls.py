"""Which function calls, launches or points to which: what only the compiler can tell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from migrate.model.semantic import CallEdge, FunctionNode
from migrate.model.verdict import Side
from migrate.parse.clang.kernels.calls import CallObserver
from migrate.parse.clang.walk import walk_unit
from tests.parse_clang.parsing import parse_text, parse_texts

KERNELS = """
template <typename T, int N> __global__ void red(T* out) {}
__global__ void plain(int n) {}
"""


def observe(
    tmp_path: Path, text: str, headers: Mapping[str, str] | None = None, *, errors: bool = False
) -> tuple[tuple[FunctionNode, ...], tuple[CallEdge, ...]]:
    unit, files = parse_texts(tmp_path, text, headers or {}, errors=errors)
    observer = CallObserver(unit, files)
    walk_unit(unit, files, [observer])
    return observer.finish()


def edges(
    tmp_path: Path, text: str, headers: Mapping[str, str] | None = None, *, errors: bool = False
) -> list[str]:
    """The edges as ``caller kind callee<arguments>``, in order of place."""
    nodes, found = observe(tmp_path, text, headers, errors=errors)
    names = {node.key: node.name for node in nodes} | {"": "?"}
    return [
        f"{names[edge.caller]} {edge.kind} {names[edge.callee]}"
        + (f"<{edge.arguments}>" if edge.arguments else "")
        for edge in found
    ]


def test_functions_methods_constructors_and_operators_are_called(tmp_path: Path) -> None:
    text = """
    struct V { V(int); int size() const; V operator+(V other); static int none(); };
    int twice(int n) { return 2 * n; }
    void f() { V v(twice(3)); v.size(); v + v; V::none(); }
    """
    assert edges(tmp_path, text) == [
        "f call V::V", "f call twice", "f call V::size", "f call V::operator+", "f call V::none",
    ]  # fmt: skip


def test_calls_into_cuda_and_what_a_compiler_adds_are_left_out(tmp_path: Path) -> None:
    text = "struct P { int x; }; void f() { P p; P q = p; cudaDeviceSynchronize(); }"
    assert edges(tmp_path, text) == []


def test_an_edge_says_where_it_is_and_a_function_where_it_runs(tmp_path: Path) -> None:
    nodes, found = observe(tmp_path, "__device__ int g();\n__global__ void k() {\n  g(); }\n")
    assert [(edge.path, edge.line, edge.column) for edge in found] == [("unit.cu", 3, 3)]
    assert [(node.name, node.line, node.side, node.kernel, node.defined) for node in nodes] == [
        ("g", 1, Side.DEVICE, False, False),
        ("k", 2, Side.DEVICE, True, True),
    ]


def test_a_function_without_a_call_is_a_node(tmp_path: Path) -> None:
    nodes, _ = observe(tmp_path, "static void lonely() {}")
    assert [node.name for node in nodes] == ["lonely"]


def test_a_declaration_in_a_header_and_its_definition_are_one_node(tmp_path: Path) -> None:
    text = '#include "api.h"\nvoid api() {}\nvoid f() { api(); }'
    nodes, _ = observe(tmp_path, text, {"api": "void api();\n"})
    assert [(node.name, node.path, node.line) for node in nodes] == [
        ("api", "unit.cu", 2), ("f", "unit.cu", 3),
    ]  # fmt: skip


def test_a_launch_names_the_kernel_with_its_template_arguments(tmp_path: Path) -> None:
    text = KERNELS + "void f(float* p) { red<float, 64><<<1, 2>>>(p); plain<<<1, 2>>>(3); }"
    assert edges(tmp_path, text) == ["f launch red<float, 64>", "f launch plain"]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("auto k = red<float, 64>; k<<<1, 2>>>(p);", "f launch red<float, 64>"),
        ("void (*k)(float*); k = &red<float, 8>; k<<<1, 2>>>(p);", "f launch red<float, 8>"),
        ("auto k = n ? red<float, 1> : red<float, 2>; k<<<1, 2>>>(p);",
         "f launch red<float, 1>,f launch red<float, 2>"),
        ("void (*ks[])(float*) = {red<float, 4>}; ks[n]<<<1, 2>>>(p);", "f launch red"),
        ("using K = void (*)(float*); K k = n ? (K)red<float, 1> : nullptr; k<<<1, 2>>>(p);",
         "f launch red<float, 1>"),
        ("[&] { red<float, 64><<<1, 2>>>(p); }();", "f launch red<float, 64>"),
    ],
)  # fmt: skip
def test_a_launch_through_a_variable_finds_the_kernel(
    tmp_path: Path, how: str, expected: str
) -> None:
    found = edges(tmp_path, f"{KERNELS}void f(float* p, int n) {{ {how} }}")
    assert ",".join(edge for edge in found if " launch " in edge) == expected


def test_a_function_that_hands_out_a_kernel_is_looked_into(tmp_path: Path) -> None:
    text = (
        KERNELS
        + """
    typedef void (*fn)(float*);
    fn pick(int n) { if (n) return red<float, 1>; return &red<float, 2>; }
    void f(int n) { fn k = pick(n); k<<<1, 2>>>(nullptr); }
    void g(int n) { pick(n)<<<1, 2>>>(nullptr); }
    """
    )
    assert [edge for edge in edges(tmp_path, text) if " address " not in edge] == [
        "f call pick", "f launch red<float, 1>", "f launch red<float, 2>",
        "g call pick", "g launch red<float, 1>", "g launch red<float, 2>",
    ]  # fmt: skip


def test_what_a_pointer_from_elsewhere_launches_is_not_known(tmp_path: Path) -> None:
    text = "struct C { void (*k)(int); }; void f(C c) { c.k<<<1, 2>>>(3); }"
    assert edges(tmp_path, text) == ["f launch ?"]


@pytest.mark.parametrize(
    "call",
    [
        "cudaLaunchKernel((const void*)red<double, 32>, dim3(1), dim3(1), args, 0, 0);",
        "cudaLaunchKernel(red<double, 32>, dim3(1), dim3(1), args);",
        "cudaLaunchCooperativeKernel((void*)red<double, 32>, 1, 1, args, 0, 0);",
        "cudaLaunchKernelEx(config, red<double, 32>, (double*)nullptr);",
        "cudaLaunchKernelExC(config, (const void*)&red<double, 32>, args);",
    ],
)
def test_the_apis_that_launch_a_kernel_are_launches(tmp_path: Path, call: str) -> None:
    text = f"{KERNELS}void f(void** args, const cudaLaunchConfig_t* config) {{ {call} }}"
    assert edges(tmp_path, text) == ["f launch red<double, 32>"]


def test_a_launch_of_the_driver_names_no_kernel(tmp_path: Path) -> None:
    text = """
    #include <cuda.h>
    void f(CUfunction k) { cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); }
    """
    assert edges(tmp_path, text) == ["f launch ?"]


def test_a_wrapper_launches_what_its_callers_give_it(tmp_path: Path) -> None:
    text = (
        KERNELS
        + """
    template <typename K, typename... A> void inner(K kernel, A... a) { kernel<<<1, 2>>>(a...); }
    template <typename K, typename... A> void outer(int n, K k, A... a) { inner(k, a...); }
    void f(float* p) { outer(1, red<float, 64>, p); inner(plain, 3); }
    """
    )
    assert edges(tmp_path, text) == [
        "inner launch plain", "inner launch red<float, 64>", "outer call inner",
        "f call outer", "f address red<float, 64>", "f call inner", "f address plain",
    ]  # fmt: skip


def test_a_wrapper_around_the_api_launches_what_it_is_given(tmp_path: Path) -> None:
    text = (
        KERNELS
        + """
    void run(void (*kernel)(int), void** a) { cudaLaunchKernel((void*)kernel, 1, 1, a, 0, 0); }
    void f(void** args) { run(plain, args); }
    """
    )
    assert edges(tmp_path, text) == ["run launch plain", "f call run", "f address plain"]


def test_a_kernel_given_as_a_template_argument_is_launched(tmp_path: Path) -> None:
    text = (
        f"{KERNELS}template <auto K> void run() {{ K<<<1, 2>>>(3); }} void f() {{ run<plain>(); }}"
    )
    assert "run launch plain" in edges(tmp_path, text)


def test_a_template_calls_what_its_instantiations_call(tmp_path: Path) -> None:
    text = """
    struct Add { __device__ float operator()(float x) const { return x; } };
    template <typename Op> __device__ float apply(float x) { return Op()(x); }
    template <typename Op> __global__ void k(float* p) { p[0] = apply<Op>(p[0]); }
    void f(float* p) { k<Add><<<1, 2>>>(p); }
    """
    assert edges(tmp_path, text) == [
        "apply call Add::operator()", "k call apply", "f launch k<Add>",
    ]  # fmt: skip


def test_an_explicit_instantiation_counts_though_nothing_refers_to_it(tmp_path: Path) -> None:
    text = f"""{KERNELS}
    template <int N> void run(float* p) {{ red<float, N * 2><<<1, 2>>>(p); }}
    template void run<32>(float*);
    """
    assert edges(tmp_path, text) == ["run launch red<float, 64>"]


def test_a_template_that_nothing_instantiates_calls_what_can_only_be_one(tmp_path: Path) -> None:
    text = """
    template <typename T> __device__ T one(T x) { return x; }
    template <typename T> __device__ T two(T x) { return x; }
    template <typename T> __device__ T two(T* x) { return *x; }
    template <typename T> __global__ void k(T* p) { one(p[0]); two(p[0]); }
    """
    assert edges(tmp_path, text) == ["k call one"]


def test_an_explicit_specialisation_is_a_function_of_its_own(tmp_path: Path) -> None:
    text = """
    template <typename T> __global__ void k(T* p) {}
    template <> __global__ void k<int>(int* p) {}
    void f() { k<int><<<1, 2>>>(nullptr); k<char><<<1, 2>>>(nullptr); }
    """
    nodes, found = observe(tmp_path, text)
    lines = {node.key: node.line for node in nodes}
    assert [(lines[edge.callee], edge.arguments) for edge in found] == [(3, "int"), (2, "char")]


def test_a_header_that_another_unit_answers_for_still_says_what_is_instantiated_here(
    tmp_path: Path,
) -> None:
    header = "template <typename K> void go(K k) { k<<<1, 2>>>(1); }\nvoid other() { go(1); }\n"
    unit, files = parse_text(
        tmp_path, f'{KERNELS}#include "go.h"\nvoid f() {{ go(plain); }}', errors=True, go=header
    )
    del files._paths[f"{unit.root}/go.h"]
    observer = CallObserver(unit, files)
    walk_unit(unit, files, [observer])
    nodes, found = observer.finish()
    names = {node.key: node.name for node in nodes}
    assert [(names[edge.caller], edge.path) for edge in found if edge.kind == "launch"] == [
        ("go", "go.h")
    ]


def test_a_virtual_call_in_device_code_is_told_from_a_call_of_an_object_at_hand(
    tmp_path: Path,
) -> None:
    text = """
    struct B { __device__ virtual int v(); };
    __device__ int f(B* p, B& r) { B o; return p->v() + r.v() + o.v() + p->B::v(); }
    """
    assert edges(tmp_path, text) == [
        "f virtual B::v", "f virtual B::v", "f call B::v", "f call B::v",
    ]  # fmt: skip


def test_a_call_through_a_pointer_counts_in_device_code_only(tmp_path: Path) -> None:
    text = """
    __device__ int g(int x) { return x; }
    __device__ int (*table[2])(int) = {g, g};
    __device__ int d(int (*f)(int), int i) { return f(i) + table[i](i) + (*f)(i); }
    int h(int (*f)(int)) { return f(3); }
    """
    assert edges(tmp_path, text) == [
        "? address g", "? address g", "d pointer ?", "d pointer ?", "d pointer ?",
    ]  # fmt: skip


def test_a_pointer_that_is_known_when_compiling_is_called_directly(tmp_path: Path) -> None:
    text = """
    __device__ int g(int x) { return x; }
    __device__ constexpr int (*pick(int))(int) { return g; }
    template <int (*F)(int)> __device__ int of(int x) { return F(x); }
    __device__ int d() { constexpr auto chosen = pick(1); return of<g>(2) + chosen(3); }
    """
    found = edges(tmp_path, text)
    assert "of call g" in found
    assert not [edge for edge in found if "pointer" in edge]


def test_what_a_macro_of_a_header_launches_counts_where_the_macro_is_used(tmp_path: Path) -> None:
    text = f'{KERNELS}#include "run.h"\nvoid f() {{\n  RUN(plain, 3); }}'
    header = "#define RUN(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n"
    _, found = observe(tmp_path, text, {"run": header})
    assert [(edge.kind, edge.path, edge.line) for edge in found] == [("launch", "unit.cu", 6)]


def test_a_unit_with_errors_still_says_what_it_understands(tmp_path: Path) -> None:
    text = f"#include <nowhere.h>\n{KERNELS}void f() {{ plain<<<1, 2>>>(3); nothing(4); }}"
    assert edges(tmp_path, text, errors=True) == ["f launch plain"]


def test_a_chain_of_a_thousand_variables_is_followed_to_its_end(tmp_path: Path) -> None:
    links = "".join(f"auto k{n + 1} = k{n};" for n in range(1500))
    text = f"{KERNELS}void f() {{ auto k0 = plain; {links} k1500<<<1, 2>>>(3); }}"
    assert "f launch plain" in edges(tmp_path, text)


def test_a_sum_of_thousands_of_terms_in_a_template_ends_nothing(tmp_path: Path) -> None:
    terms = "+".join(["x"] * 3000)
    text = f"""
    __global__ void plain(int n) {{}}
    template <int N> int g(int x) {{ x = {terms}; plain<<<1, 2>>>(x); return x; }}
    int all() {{ return g<1>(1) + g<2>(1) + g<3>(1) + g<4>(1); }}
    """
    assert "g launch plain" in edges(tmp_path, text)


def test_a_function_pointer_that_a_broken_line_assigns_ends_nothing(tmp_path: Path) -> None:
    text = f"""{KERNELS}
    void f() {{ void (*k)(int) = plain; k = nowhere(; k = ; k<<<1, 2>>>(3); }}
    """
    assert "f launch plain" in edges(tmp_path, text, errors=True)
