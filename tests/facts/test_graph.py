"""The graph of files, functions and kernels: with the compiler's word, and without it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from migrate.facts.graph import (
    build_graph,
    device_pointer_calls,
    device_virtual_calls,
    graph_rows,
    recursive_device_functions,
    strong_components,
)
from migrate.facts.includes import IncludeGraph
from migrate.model.facts import FileFacts
from migrate.model.graph import GraphEdge, LinkKind, NodeKind, Place
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

Tree = Mapping[str, str]


def facts(tree: Tree) -> list[FileFacts]:
    return [read(text, path=path, language=Language.CUDA) for path, text in sorted(tree.items())]


def edges(tree: Tree, *units: UnitFacts, kinds: str = "include call launch") -> list[str]:
    """The edges of some kinds as ``source kind target``; ids without their sort of node."""
    rows = graph_rows(build_graph(facts(tree), units))
    return [
        f"{_short(edge.source)} {edge.kind} {_short(edge.target)}"
        for edge in rows.edges
        if edge.kind in kinds.split()
    ]


def _short(name: str) -> str:
    return name.partition(":")[2] or name


def edge_of(tree: Tree, *units: UnitFacts, kind: LinkKind) -> GraphEdge:
    rows = graph_rows(build_graph(facts(tree), units))
    (found,) = (edge for edge in rows.edges if edge.kind is kind)
    return found


def node(key: str, path: str, line: int = 1, **other: object) -> FunctionNode:
    values: dict[str, object] = {"name": key, "side": Side.HOST, "kernel": False, "defined": True}
    return FunctionNode(key=key, path=path, line=line, **(values | other))  # type: ignore[arg-type]


def kernel(key: str, path: str, line: int = 1, **other: object) -> FunctionNode:
    return node(key, path, line, **{"side": Side.DEVICE, "kernel": True, **other})


def device(key: str, path: str, line: int = 1) -> FunctionNode:
    return node(key, path, line, side=Side.DEVICE)


def call(
    caller: str, callee: str, place: tuple[str, int], kind: EdgeKind = EdgeKind.CALL, args: str = ""
) -> CallEdge:
    path, line = place
    return CallEdge(
        caller=caller, callee=callee, kind=kind, path=path, line=line, column=3, arguments=args
    )


def unit(
    path: str, functions: Sequence[FunctionNode], calls: Sequence[CallEdge], *includes: str
) -> UnitFacts:
    return UnitFacts(
        path=path, outcome=Outcome.PARSED, includes=(path, *includes),
        functions=tuple(functions), calls=tuple(calls),
    )  # fmt: skip


def test_without_a_compiler_includes_and_launches_by_name_are_there() -> None:
    tree = {
        "k.cuh": "__global__ void k(int n) {}\n",
        "a.cu": '#include "k.cuh"\nvoid f() {\n  k<<<1, 2>>>(3);\n}\n',
    }
    assert edges(tree) == ["a.cu include k.cuh", "f@a.cu launch k@k.cuh"]
    launch = edge_of(tree, kind=LinkKind.LAUNCH)
    assert (launch.seen_by, launch.places) == (SeenBy.TREE, (Place("a.cu", 3, 4),))


def test_a_file_contains_its_functions() -> None:
    tree = {"a.cu": "void f() { cudaFree(0); }\n__global__ void k() {}\n"}
    assert edges(tree, kinds="contains") == ["a.cu contains f@a.cu", "a.cu contains k@a.cu"]
    rows = graph_rows(build_graph(facts(tree), ()))
    assert [(one.name, one.kernel, one.side) for one in rows.nodes] == [
        ("a.cu", False, Side.UNKNOWN), ("f", False, Side.HOST), ("k", True, Side.DEVICE),
    ]  # fmt: skip


def test_of_kernels_with_one_name_the_one_in_sight_is_launched() -> None:
    text = '#include "k.cuh"\nvoid f() { k<<<1, 2>>>(); }\n'
    tree = {"one/k.cuh": "__global__ void k() {}", "two/k.cuh": "__global__ void k() {}"}
    assert edges({**tree, "one/a.cu": text}, kinds="launch") == ["f@one/a.cu launch k@one/k.cuh"]


def test_of_kernels_with_one_name_the_one_in_the_file_is_launched() -> None:
    text = "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n"
    assert edges({"a.cu": text, "b.cu": text}) == ["f@a.cu launch k@a.cu", "f@b.cu launch k@b.cu"]


def test_a_kernel_that_cannot_be_told_is_not_guessed() -> None:
    tree = {
        "one.cu": "__global__ void k() {}",
        "two.cu": "__global__ void k() {}",
        "a.cu": "void f() { k<<<1, 2>>>(); unheard<<<1, 2>>>(); }",
    }
    assert edges(tree) == []


def test_functions_of_one_name_in_a_file_are_told_apart_by_their_lines() -> None:
    tree = {
        "a.cu": "__global__ void f(int) {}\n__global__ void f(char) {}\n__global__ void g() {}\n"
    }
    rows = graph_rows(build_graph(facts(tree), ()))
    assert [one.id for one in rows.nodes if one.kind is NodeKind.FUNCTION] == [
        "function:f@a.cu:1", "function:f@a.cu:2", "function:g@a.cu",
    ]  # fmt: skip


def test_a_name_that_looks_like_anothers_id_makes_no_node_vanish() -> None:
    text = "__global__ void f(int) {}\n"
    tree = {"a.cu": text + "__global__ void f(char) {}\n", "a.cu:1": text}
    rows = graph_rows(build_graph(facts(tree), ()))
    functions = [one for one in rows.nodes if one.kind is NodeKind.FUNCTION]
    assert len(functions) == len({one.id for one in functions}) == 3


def test_the_compilers_function_is_the_trees() -> None:
    tree = {"a.cu": "namespace ns {\ntemplate <typename T>\n__global__ void k(T* p) {\n}\n}\n"}
    said = unit("a.cu", [kernel("K", "a.cu", 3, name="ns::k")], [])
    rows = graph_rows(build_graph(facts(tree), [said]))
    (found,) = (one for one in rows.nodes if one.kind is NodeKind.FUNCTION)
    assert (found.id, found.line, found.seen_by) == ("function:ns::k@a.cu", 3, SeenBy.CLANG)


def test_a_launch_that_the_compiler_sees_is_not_counted_twice() -> None:
    tree = {"a.cu": "template <class T> __global__ void k() {}\nvoid f() { k<int><<<1, 2>>>(); }\n"}
    functions = [kernel("k", "a.cu", 1), node("f", "a.cu", 2)]
    said = unit("a.cu", functions, [call("f", "k", ("a.cu", 2), EdgeKind.LAUNCH, "int")])
    launch = edge_of(tree, said, kind=LinkKind.LAUNCH)
    assert (launch.seen_by, launch.places) == (SeenBy.CLANG, (Place("a.cu", 2, 3),))
    assert launch.arguments == ("int",)


def test_a_launch_in_a_branch_that_the_compiler_skips_stays() -> None:
    text = "__global__ void k() {}\nvoid f() {\n#ifdef X\n  k<<<1, 2>>>();\n#endif\n}\n"
    said = unit("a.cu", [kernel("k", "a.cu"), node("f", "a.cu", 2)], [])
    assert edge_of({"a.cu": text}, said, kind=LinkKind.LAUNCH).seen_by is SeenBy.TREE


def test_an_edge_that_many_units_see_is_one() -> None:
    tree = {"h.cuh": "inline void g() {}\ninline void f() { g(); }\n", "a.cu": "", "b.cu": ""}
    functions = [node("g", "h.cuh"), node("f", "h.cuh", 2)]
    calls = [call("f", "g", ("h.cuh", 2))]
    said = [unit(path, functions, calls, "h.cuh") for path in ("a.cu", "b.cu")]
    assert edge_of(tree, *said, kind=LinkKind.CALL).places == (Place("h.cuh", 2, 3),)


def test_a_call_of_what_another_unit_defines_reaches_the_definition() -> None:
    tree = {"api.h": "void g();\n", "a.cu": "void f() { g(); }\n", "g.cu": "void g() {}\n"}
    said = [
        unit("a.cu", [node("f", "a.cu"), node("g", "api.h", defined=False)],
             [call("f", "g", ("a.cu", 1))]),
        unit("g.cu", [node("g", "g.cu")], []),
    ]  # fmt: skip
    assert edges(tree, *said) == ["f@a.cu call g@g.cu"]


def test_what_no_unit_defines_is_where_it_is_declared() -> None:
    tree = {"api.h": "void g();\n", "a.cu": "void f() { g(); }\n"}
    functions = [node("f", "a.cu"), node("g", "api.h", defined=False)]
    said = unit("a.cu", functions, [call("f", "g", ("a.cu", 1))])
    rows = graph_rows(build_graph(facts(tree), [said]))
    assert {one.name: one.defined for one in rows.nodes}["g"] is False
    assert edges(tree, said) == ["f@a.cu call g@api.h"]


def test_programs_of_one_tree_may_each_have_a_function_of_one_name() -> None:
    text = "void run() {}\nint main() { run(); }\n"
    tree = {"one/a.cu": text, "two/a.cu": text, "two/b.cu": "void h() { run(); }\n"}
    calls = {path: [call("main", "run", (path, 2))] for path in tree}
    said = [
        unit(path, [node("run", path), node("main", path, 2)], calls[path])
        for path in ("one/a.cu", "two/a.cu")
    ]
    far = unit("two/b.cu", [node("h", "two/b.cu")], [call("h", "run", ("two/b.cu", 1))])
    assert edges(tree, *said, far) == [
        "h@two/b.cu call run@two/a.cu",
        "main@one/a.cu call run@one/a.cu",
        "main@two/a.cu call run@two/a.cu",
    ]


def test_a_target_that_nobody_can_tell_is_one_node() -> None:
    functions = [node("f", "a.cu")]
    said = unit("a.cu", functions, [call("f", "", ("a.cu", 1), EdgeKind.LAUNCH)])
    assert edges({"a.cu": "void f() {}\n"}, said) == ["f@a.cu launch unknown"]


def test_a_launch_that_one_unit_can_tell_is_known() -> None:
    tree = {"h.cuh": "void run() {}\n", "a.cu": "__global__ void k() {}\n", "b.cu": ""}
    functions = [node("run", "h.cuh"), kernel("k", "a.cu")]
    place = ("h.cuh", 1)
    said = [
        unit("b.cu", functions[:1], [call("run", "", place, EdgeKind.LAUNCH)]),
        unit("a.cu", functions, [call("run", "k", place, EdgeKind.LAUNCH)]),
    ]
    assert edges(tree, *said) == ["run@h.cuh launch k@a.cu"]


def test_what_is_taken_at_file_scope_belongs_to_the_file() -> None:
    said = unit("a.cu", [kernel("k", "a.cu")], [call("", "k", ("a.cu", 2), EdgeKind.ADDRESS)])
    tree = {"a.cu": "__global__ void k() {}\nauto p = k;\n"}
    assert edges(tree, said, kinds="address") == ["a.cu address k@a.cu"]


def test_what_lies_outside_the_files_read_is_left_out() -> None:
    functions = [node("f", "a.cu"), node("g", "excluded/g.h")]
    calls = [call("f", "g", ("a.cu", 1)), call("", "f", ("excluded/g.h", 3))]
    assert edges({"a.cu": "void f() {}\n"}, unit("a.cu", functions, calls)) == []


def test_of_includes_that_may_mean_several_files_the_compilers_counts() -> None:
    tree = {"one/k.h": "", "two/k.h": "", "src/a.cu": '#include "k.h"\n'}
    assert edges(tree) == ["src/a.cu include one/k.h", "src/a.cu include two/k.h"]
    assert edges(tree, unit("src/a.cu", [], [], "two/k.h")) == ["src/a.cu include two/k.h"]


def test_a_file_does_not_include_itself() -> None:
    assert edges({"vendors/cuda.h": "#include <cuda.h>\n"}) == []


def test_a_header_that_includes_one_of_its_own_name_is_not_its_own_includer() -> None:
    tree = {
        "vendors/cuda.h": "#include <cuda.h>\n",
        "compat.h": "",
        "a.cu": '#include "compat.h"\n#include "vendors/cuda.h"\n',
    }
    reached = IncludeGraph(facts(tree)).reach("compat.h")
    assert reached == {"compat.h", "a.cu", "vendors/cuda.h"}


def test_a_kernel_carries_what_the_compiler_knows_of_it() -> None:
    tree = {"a.cu": "__global__ void __launch_bounds__(64) k() {\n}\n__global__ void t() {}\n"}
    said = KernelInstance(
        key="k", name="k", arguments="", path="a.cu", line=1, column=1, static_shared=512,
        dynamic_shared=True, launch_bounds=(128,), attributes=("__noinline__",),
    )  # fmt: skip
    unit_ = replace(unit("a.cu", [kernel("k", "a.cu")], []), kernels=(said,))
    rows = graph_rows(build_graph(facts(tree), [unit_]))
    traits = {one.name: one.traits for one in rows.nodes if one.traits}
    assert traits["k"].static_shared == 512
    assert traits["k"].launch_bounds == (128,)
    assert (traits["k"].dynamic_shared, traits["k"].attributes) == (True, ("__noinline__",))
    assert traits["t"].static_shared is None


def test_a_kernel_of_which_the_compiler_misses_the_body_keeps_its_texts_bounds() -> None:
    tree = {"a.cu": "__global__ void __launch_bounds__(64) k() {\n}\n"}
    rows = graph_rows(build_graph(facts(tree), [unit("a.cu", [kernel("k", "a.cu")], [])]))
    (traits,) = (one.traits for one in rows.nodes if one.traits)
    assert traits.launch_bounds == (64,)


def test_files_that_include_each_other_and_functions_that_call_each_other_are_cycles() -> None:
    tree = {
        "a.h": '#include "b.h"\n',
        "b.h": '#include "a.h"\n',
        "c.cu": "void f();\nvoid g() { f(); }\nvoid f() { g(); }\nvoid s() { s(); }\nvoid n() {}\n",
    }
    functions = [node("g", "c.cu", 2), node("f", "c.cu", 3), node("s", "c.cu", 4)]
    calls = [
        call("g", "f", ("c.cu", 2)), call("f", "g", ("c.cu", 3)), call("s", "s", ("c.cu", 4)),
    ]  # fmt: skip
    graph = build_graph(facts(tree), [unit("c.cu", functions, calls)])
    assert [(one.kind, one.members) for one in strong_components(graph)] == [
        (NodeKind.FILE, ("file:a.h", "file:b.h")),
        (NodeKind.FUNCTION, ("function:f@c.cu", "function:g@c.cu")),
        (NodeKind.FUNCTION, ("function:s@c.cu",)),
    ]
    assert recursive_device_functions(graph) == ()


def test_recursion_virtual_calls_and_pointers_of_device_code_are_told() -> None:
    tree = {"a.cu": "\n".join(f"void f{n}() {{}}" for n in range(1, 5))}
    functions = [
        device("f1", "a.cu", 1), device("f2", "a.cu", 2), node("f3", "a.cu", 3),
        kernel("f4", "a.cu", 4),
    ]  # fmt: skip
    calls = [
        call("f1", "f2", ("a.cu", 1)),
        call("f2", "f1", ("a.cu", 2), EdgeKind.VIRTUAL),
        call("f3", "f2", ("a.cu", 3), EdgeKind.VIRTUAL),
        call("f4", "", ("a.cu", 4), EdgeKind.POINTER),
        call("f4", "f4", ("a.cu", 5), EdgeKind.LAUNCH),
    ]
    graph = build_graph(facts(tree), [unit("a.cu", functions, calls)])
    assert recursive_device_functions(graph) == (("function:f1@a.cu", "function:f2@a.cu"),)
    (virtual,) = device_virtual_calls(graph)
    assert (virtual.caller, virtual.place.line) == ("function:f2@a.cu", 2)
    (pointer,) = device_pointer_calls(graph)
    assert (pointer.caller, pointer.target) == ("function:f4@a.cu", "unknown")


def test_the_order_of_the_units_changes_nothing() -> None:
    paths = [f"u{number}.cu" for number in range(8)]
    tree = dict.fromkeys(paths, "void f() {}\nvoid g() {}\n")
    said = [
        unit(path, [node("f", path), node("g", path, 2)],
             [call("f", "g", (path, 1)), call("g", "", (path, 2), EdgeKind.LAUNCH)])
        for path in paths
    ]  # fmt: skip
    wanted = graph_rows(build_graph(facts(tree), said))
    shuffled = random.Random(7).sample(said, len(said))
    assert graph_rows(build_graph(facts(tree), shuffled)) == wanted
