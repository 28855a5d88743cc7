"""The graph of a code base as Graphviz DOT, JSON or GraphML text."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from migrate.errors import AssessError
from migrate.model.graph import CodeGraph, GraphEdge, GraphNode, LinkKind, NodeKind
from migrate.model.kernel import KernelTraits
from migrate.model.verdict import Side
from migrate.report.safe import encodable_json, printable

SCHEMA_VERSION = 1
"""Rises when a key changes its meaning or goes; a new key keeps it."""

_SHAPES = {NodeKind.FILE: "folder", NodeKind.FUNCTION: "ellipse", NodeKind.UNKNOWN: "plaintext"}
_STYLES = {
    LinkKind.INCLUDE: "dashed",
    LinkKind.CONTAINS: "dotted",
    LinkKind.CALL: "solid",
    LinkKind.LAUNCH: "bold",
    LinkKind.ADDRESS: "dashed",
    LinkKind.VIRTUAL: "solid",
    LinkKind.POINTER: "solid",
}
_LABELLED = frozenset({LinkKind.LAUNCH, LinkKind.ADDRESS, LinkKind.VIRTUAL, LinkKind.POINTER})
_NODE_KEYS = (
    *("kind", "name", "path", "line", "side", "kernel", "defined", "seen_by"),
    *("static_shared", "dynamic_shared", "launch_bounds", "attributes"),
)
_EDGE_KEYS = ("kind", "path", "line", "column", "places", "arguments", "seen_by")
_TYPES = {
    "line": "int", "column": "int", "places": "int", "kernel": "boolean", "defined": "boolean",
    "static_shared": "int", "dynamic_shared": "boolean",
}  # fmt: skip
_Row = Mapping[str, str | int | bool]


def only(graph: CodeGraph, kinds: Collection[NodeKind]) -> CodeGraph:
    """The part of a graph between nodes of some kinds."""
    nodes = tuple(node for node in graph.nodes if node.kind in kinds)
    ids = {node.id for node in nodes}
    edges = tuple(edge for edge in graph.edges if {edge.source, edge.target} <= ids)
    components = tuple(one for one in graph.components if one.kind in kinds)
    return CodeGraph(nodes, edges, components)


def render_dot(graph: CodeGraph) -> str:
    """Write a graph for Graphviz; kernels are boxes with what they ask for, cycles are red."""
    in_cycle = {member for one in graph.components for member in one.members}
    lines = ["digraph hipassess {", "  rankdir=LR;", '  node [fontname="sans-serif"];']
    for node in graph.nodes:
        shape = "box" if node.kernel else _SHAPES[node.kind]
        colour = ", color=red" if node.id in in_cycle else ""
        tooltip = f", tooltip={_quoted(_tooltip(node.traits))}" if node.traits else ""
        attributes = f"label={_quoted(node.name)}, shape={shape}{colour}{tooltip}"
        lines.append(f"  {_quoted(node.id)} [{attributes}];")
    for edge in graph.edges:
        label = f", label={_quoted(edge.kind)}" if edge.kind in _LABELLED else ""
        style = _STYLES[edge.kind]
        ends = f"{_quoted(edge.source)} -> {_quoted(edge.target)}"
        lines.append(f"  {ends} [style={style}{label}];")
    return "\n".join([*lines, "}"]) + "\n"


def render_json(graph: CodeGraph) -> str:
    """Write a graph as JSON, a node, an edge or a cycle on a line of its own."""
    nodes = [{"id": node.id, **_node(node), **_traits(node.traits)} for node in graph.nodes]
    edges = [
        {"source": edge.source, "target": edge.target, "kind": edge.kind}
        | {
            "places": [[place.path, place.line, place.column] for place in edge.places],
            "arguments": list(edge.arguments),
            "seen_by": edge.seen_by,
        }
        for edge in graph.edges
    ]
    components = [{"kind": one.kind, "members": list(one.members)} for one in graph.components]
    parts = [f'  "schema_version": {SCHEMA_VERSION}']
    for name, rows in (("nodes", nodes), ("edges", edges), ("components", components)):
        text = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f'  "{name}": [\n    {text}\n  ]' if rows else f'  "{name}": []')
    return encodable_json("{\n" + ",\n".join(parts) + "\n}\n")


def render_graphml(graph: CodeGraph) -> str:
    """Write a graph as GraphML; of an edge's places the first stands in it, and their number."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *_graphml_keys("node", _NODE_KEYS),
        *_graphml_keys("edge", _EDGE_KEYS),
        '  <graph id="hipassess" edgedefault="directed">',
    ]
    for node in graph.nodes:
        lines.append(f"    <node id={_attribute(node.id)}>")
        lines += _graphml_data("node", _node(node) | _plain_traits(node.traits))
        lines.append("    </node>")
    for edge in graph.edges:
        ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)}"
        lines.append(f"    <edge {ends}>")
        lines += _graphml_data("edge", _edge(edge))
        lines.append("    </edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


FORMATS: Mapping[str, Callable[[CodeGraph], str]] = MappingProxyType(
    {"dot": render_dot, "json": render_json, "graphml": render_graphml}
)
"""Every format by its name on the command line."""


def graph_writer(name: str) -> Callable[[CodeGraph], str]:
    """The function that writes a format.

    Raises:
        AssessError: ``unknown-format``.
    """
    writer = FORMATS.get(name)
    if writer is None:
        raise AssessError(
            f"Unknown format {name!r}",
            slug="unknown-format",
            hint=f"Known formats: {', '.join(FORMATS)}.",
        )
    return writer


def _node(node: GraphNode) -> dict[str, str | int | bool]:
    return {
        "kind": node.kind,
        "name": node.name,
        "path": node.path,
        "line": node.line,
        "side": "" if node.side is Side.UNKNOWN else node.side.name.lower(),
        "kernel": node.kernel,
        "defined": node.defined,
        "seen_by": node.seen_by,
    }


def _traits(traits: KernelTraits | None) -> dict[str, object]:
    """A kernel's attributes; its shared memory is null where nobody can tell."""
    if traits is None:
        return {}
    return {
        "static_shared": traits.static_shared,
        "dynamic_shared": traits.dynamic_shared,
        "launch_bounds": list(traits.launch_bounds),
        "attributes": list(traits.attributes),
    }


def _plain_traits(traits: KernelTraits | None) -> dict[str, str | int | bool]:
    """The same as plain values; what is not known is left out."""
    if traits is None:
        return {}
    known: dict[str, str | int | bool] = {}
    if traits.static_shared is not None:
        known["static_shared"] = traits.static_shared
    return known | {
        "dynamic_shared": traits.dynamic_shared,
        "launch_bounds": _bounds(traits),
        "attributes": " ".join(traits.attributes),
    }


def _bounds(traits: KernelTraits) -> str:
    return ", ".join("?" if one is None else str(one) for one in traits.launch_bounds)


def _tooltip(traits: KernelTraits) -> str:
    size = traits.static_shared
    words = ["static shared memory not known" if size is None else f"{size} bytes of static shared"]
    if traits.dynamic_shared:
        words.append("dynamic shared memory")
    if traits.launch_bounds:
        words.append(f"launch bounds {_bounds(traits)}")
    return "; ".join([*words, *traits.attributes])


def _edge(edge: GraphEdge) -> dict[str, str | int | bool]:
    row: dict[str, str | int | bool] = {"kind": edge.kind}
    if edge.places:
        first = edge.places[0]
        row |= {"path": first.path, "line": first.line, "column": first.column}
    return row | {
        "places": len(edge.places),
        "arguments": "; ".join(edge.arguments),
        "seen_by": edge.seen_by,
    }


def _quoted(text: str) -> str:
    """A string of DOT: in a label a backslash would mean something."""
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _attribute(text: str) -> str:
    return quoteattr(printable(text))


def _graphml_keys(kind: str, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        of_type = _TYPES.get(name, "string")
        attributes = f'for="{kind}" attr.name="{name}" attr.type="{of_type}"'
        yield f'  <key id="{kind}-{name}" {attributes}/>'


def _graphml_data(kind: str, row: _Row) -> Iterator[str]:
    for name, value in row.items():
        text = str(value).lower() if isinstance(value, bool) else escape(printable(str(value)))
        yield f'      <data key="{kind}-{name}">{text}</data>'
