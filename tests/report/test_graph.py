"""The graph's formats: other programs read them back, whatever the tree's names are."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from io import BytesIO

import networkx as nx
import pytest

from migrate.errors import AssessError
from migrate.model.graph import (
    CodeGraph,
    GraphComponent,
    GraphEdge,
    GraphNode,
    LinkKind,
    NodeKind,
    Place,
)
from migrate.model.kernel import KernelSize, KernelTraits
from migrate.model.verdict import SeenBy, Side
from migrate.report.graph import (
    FORMATS,
    graph_writer,
    only,
    render_dot,
    render_graphml,
    render_json,
)

HOSTILE = 'a"];\n<b>&\\N\x1b[31m\u202e\udcff.cu'
FILE, KERNEL = f"file:{HOSTILE}", "function:k<1>@k.cu"
GRAPH = CodeGraph(
    (
        GraphNode(id=FILE, kind=NodeKind.FILE, name=HOSTILE, path=HOSTILE),
        GraphNode(id="file:k.cu", kind=NodeKind.FILE, name="k.cu", path="k.cu"),
        GraphNode(
            id=KERNEL, kind=NodeKind.FUNCTION, name="k", path="k.cu", line=3, side=Side.DEVICE,
            kernel=True, seen_by=SeenBy.CLANG,
            traits=KernelTraits(
                sizes=(KernelSize("<int>", 98304), KernelSize("<T>", None)), dynamic_shared=True,
                launch_bounds=(256, None), attributes=("__noinline__",),
            ),
        ),
    ),
    (
        GraphEdge(
            source=FILE, target=KERNEL, kind=LinkKind.LAUNCH, seen_by=SeenBy.CLANG,
            places=(Place(HOSTILE, 4, 2), Place(HOSTILE, 9, 2)), arguments=("float, 64", "int, 1"),
        ),
        GraphEdge(source=FILE, target="file:k.cu", kind=LinkKind.INCLUDE),
    ),
    (GraphComponent(NodeKind.FUNCTION, (KERNEL,)),),
)  # fmt: skip


def test_json_has_nodes_edges_and_components() -> None:
    document = json.loads(render_json(GRAPH))
    assert list(document) == ["schema_version", "nodes", "edges", "components"]
    assert document["nodes"][2] == {
        "id": KERNEL, "kind": "function", "name": "k", "path": "k.cu", "line": 3,
        "side": "device", "kernel": True, "defined": True, "seen_by": "clang",
        "static_shared": 98304, "dynamic_shared": True, "launch_bounds": [256, None],
        "attributes": ["__noinline__"],
    }  # fmt: skip
    launch = document["edges"][0]
    assert (launch["kind"], launch["target"]) == ("launch", KERNEL)
    assert [place[1:] for place in launch["places"]] == [[4, 2], [9, 2]]
    assert launch["arguments"] == ["float, 64", "int, 1"]
    assert document["components"] == [{"kind": "function", "members": [KERNEL]}]


def test_json_ends_name_the_nodes_that_are_there() -> None:
    document = json.loads(render_json(GRAPH))
    ids = {node["id"] for node in document["nodes"]}
    assert {edge["source"] for edge in document["edges"]} <= ids


def test_graphml_reads_back_with_its_types() -> None:
    graph = nx.read_graphml(BytesIO(render_graphml(GRAPH).encode()), force_multigraph=True)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (3, 2)
    assert graph.nodes[KERNEL] == {
        "kind": "function", "name": "k", "path": "k.cu", "line": 3, "side": "device",
        "kernel": True, "defined": True, "seen_by": "clang",
        "static_shared": 98304, "dynamic_shared": True, "launch_bounds": "256, ?",
        "attributes": "__noinline__",
    }  # fmt: skip
    (launch,) = (data for *_, data in graph.edges(data=True) if data["kind"] == "launch")
    assert (launch["line"], launch["places"], launch["arguments"]) == (4, 2, "float, 64; int, 1")


def test_graphml_is_xml_whatever_a_name_holds() -> None:
    document = ET.fromstring(render_graphml(GRAPH))  # noqa: S314 - our own text
    names = [node.get("id") for node in document.iter() if node.get("id")]
    assert any(name and name.startswith('file:a"];\\x0a<b>&') for name in names)


DOT_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def test_no_name_gets_out_of_its_string_in_dot() -> None:
    text = render_dot(GRAPH)
    assert "\x1b" not in text
    assert "\u202e" not in text
    bare = DOT_STRING.sub("S", text)
    lines = [line for line in bare.splitlines() if "->" in line or line.startswith("  S [")]
    assert len(lines) == 5
    assert all(re.fullmatch(r"  S( -> S)? \[[\w=, ]+\];", line) for line in lines)


def test_a_backslash_in_a_name_is_no_escape_of_dot() -> None:
    graph = CodeGraph((GraphNode(id="file:a", kind=NodeKind.FILE, name="\\N\\l", path="a"),))
    assert r'label="\\N\\l"' in render_dot(graph)


def test_kernels_are_boxes_and_cycles_are_red() -> None:
    assert f'"{KERNEL}" [label="k", shape=box, color=red, tooltip=' in render_dot(GRAPH)


def test_a_kernels_tooltip_says_what_it_asks_for() -> None:
    words = "98304 bytes of static shared; dynamic shared memory; launch bounds 256, ?"
    assert f'tooltip="{words}; __noinline__"' in render_dot(GRAPH)


def test_shared_memory_that_nobody_knows_is_null_and_left_out_of_graphml() -> None:
    node = GraphNode(
        id="f", kind=NodeKind.FUNCTION, name="k", path="a", kernel=True, traits=KernelTraits()
    )
    graph = CodeGraph((node,))
    assert json.loads(render_json(graph))["nodes"][0]["static_shared"] is None
    assert "static_shared" not in nx.parse_graphml(render_graphml(graph)).nodes["f"]
    assert "not known" in render_dot(graph)


def test_an_empty_graph_is_written_whole() -> None:
    assert json.loads(render_json(CodeGraph()))["nodes"] == []
    assert render_dot(CodeGraph()).endswith("}\n")
    assert nx.parse_graphml(render_graphml(CodeGraph())).number_of_nodes() == 0


def test_only_files_leaves_their_includes() -> None:
    part = only(GRAPH, (NodeKind.FILE,))
    assert [node.id for node in part.nodes] == [FILE, "file:k.cu"]
    assert [edge.kind for edge in part.edges] == [LinkKind.INCLUDE]
    assert part.components == ()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_encoded(name: str) -> None:
    assert graph_writer(name)(GRAPH).encode()


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(AssessError, match="svg"):
        graph_writer("svg")
