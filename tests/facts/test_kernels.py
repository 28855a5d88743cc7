"""The kernels of a project: by the compiler where it saw them, else by their text."""

from __future__ import annotations

from collections.abc import Mapping

from migrate.facts.kernels import kernel_rows
from migrate.facts.program import join_kernels
from migrate.model.kernel import KernelRow, KernelSize, LaunchPlace
from migrate.model.semantic import (
    CallEdge,
    EdgeKind,
    FunctionNode,
    KernelInstance,
    Outcome,
    UnitFacts,
)
from migrate.model.source import Language
from migrate.model.verdict import SeenBy, Side
from tests.parse.reading import read


def rows(tree: Mapping[str, str], *units: UnitFacts, vendored: str = "") -> tuple[KernelRow, ...]:
    files = [read(text, path=path, language=Language.CUDA) for path, text in sorted(tree.items())]
    return kernel_rows(files, units, join_kernels(units), {vendored})


def instance(arguments: str, static_shared: int, **other: object) -> KernelInstance:
    values: dict[str, object] = {
        "key": "K", "name": "ns::k", "path": "a.cu", "line": 2, "column": 1,
        "dynamic_shared": False,
    }  # fmt: skip
    return KernelInstance(
        arguments=arguments, static_shared=static_shared, **(values | other)  # type: ignore[arg-type]
    )  # fmt: skip


def function(key: str, name: str, line: int, *, kernel: bool = False) -> FunctionNode:
    return FunctionNode(
        key=key, name=name, path="a.cu", line=line, side=Side.HOST, kernel=kernel, defined=True
    )


TEMPLATE = (
    "namespace ns {\n__global__ void k() {}\n}\n"
    "void f() { ns::k<<<1, 2>>>(); }\nvoid g() { ns::k<<<1, 2>>>(); }\n"
)
UNIT = UnitFacts(
    path="a.cu",
    outcome=Outcome.PARSED,
    includes=("a.cu",),
    functions=(function("K", "ns::k", 2, kernel=True), function("F", "f", 4)),
    calls=(
        CallEdge(caller="F", callee="K", kind=EdgeKind.LAUNCH, path="a.cu", line=4, column=9),
    ),
    kernels=(
        instance("<int>", 64, launch_bounds=(128, 2)),
        instance("<float>", -1, dynamic_shared=True, launch_bounds=(256, None)),
    ),
)  # fmt: skip


def test_what_the_compiler_saw_of_a_kernel_is_told() -> None:
    (row,) = rows({"a.cu": TEMPLATE}, UNIT)
    assert (row.name, row.line, row.seen_by) == ("ns::k", 2, SeenBy.CLANG)
    assert row.traits.sizes == (KernelSize("<float>", None), KernelSize("<int>", 64))
    assert row.traits.static_shared == 64
    assert row.traits.dynamic_shared
    assert row.traits.launch_bounds == (256, 2)


def test_a_launch_in_code_that_the_compiler_skipped_counts_beside_its_own() -> None:
    (row,) = rows({"a.cu": TEMPLATE}, UNIT)
    assert row.launched_from == (LaunchPlace("f", "a.cu", 4), LaunchPlace("g", "a.cu", 5))


def test_without_a_compiler_a_kernels_text_tells_what_it_can() -> None:
    text = (
        "__global__ void __launch_bounds__(256, MIN(a, 2)) k() {\n"
        "  extern __shared__ int s[];\n}\nvoid f() {\n  k<<<1, 2, 8>>>();\n}\n"
    )
    (row,) = rows({"a.cu": text})
    assert (row.name, row.line, row.seen_by) == ("k", 1, SeenBy.TREE)
    assert row.traits.launch_bounds == (256, None)
    assert row.traits.attributes == ()
    assert row.traits.dynamic_shared
    assert row.traits.static_shared is None
    assert row.launched_from == (LaunchPlace("f", "a.cu", 5),)


def test_attributes_stand_without_their_arguments() -> None:
    (row,) = rows({"a.cu": "__global__ void __cluster_dims__(2, 1, 1) k() {}\n"})
    assert row.traits.attributes == ("__cluster_dims__",)


def test_dynamic_memory_of_another_kernel_is_not_this_ones() -> None:
    text = "__global__ void a() {\n  extern __shared__ int s[];\n}\n__global__ void b() {}\n"
    assert [row.traits.dynamic_shared for row in rows({"a.cu": text})] == [True, False]


def test_kernels_of_third_parties_and_of_hip_branches_are_not_listed() -> None:
    text = (
        "#ifdef __HIP_PLATFORM_AMD__\n__global__ void h() {}\n#else\n__global__ void c() {}\n"
        "#endif\n__global__ void k() {}\n#if 0\n__global__ void n() {}\n#endif\n"
    )
    tree = {"a.cu": text, "third/b.cu": "__global__ void b() {}\n"}
    assert [row.name for row in rows(tree, vendored="third/b.cu")] == ["k"]


def test_a_kernel_that_is_only_declared_is_not_listed() -> None:
    declared = FunctionNode(
        key="K", name="k", path="a.cu", line=1, side=Side.DEVICE, kernel=True, defined=False
    )
    unit = UnitFacts(path="a.cu", outcome=Outcome.PARSED, functions=(declared,))
    assert rows({"a.cu": "__global__ void k();\n"}, unit) == ()


def test_kernels_stand_in_order_of_place() -> None:
    tree = {"b.cu": "__global__ void a() {}\n", "a.cu": "\n__global__ void z() {}\n"}
    assert [(row.path, row.line) for row in rows(tree)] == [("a.cu", 2), ("b.cu", 1)]
