"""The graph of files, functions and kernels: what includes, calls and launches what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import networkx as nx

from migrate.facts.graph_edges import Edges
from migrate.facts.graph_nodes import UNKNOWN, FunctionNodes, file_id
from migrate.facts.program import join_kernels
from migrate.model.facts import FileFacts
from migrate.model.graph import (
    CodeGraph,
    DeviceCall,
    GraphComponent,
    GraphEdge,
    GraphNode,
    LinkKind,
    NodeKind,
)
from migrate.model.semantic import UnitFacts
from migrate.model.verdict import SeenBy, Side

Graph = Any
"""A ``networkx.MultiDiGraph``: its nodes are ids that carry a :class:`GraphNode` as ``row``, its
edges have a :class:`LinkKind` as key and carry a :class:`GraphEdge` as ``row``."""
_CALLS = frozenset({LinkKind.CALL, LinkKind.VIRTUAL})
_LEADS = _CALLS | {LinkKind.LAUNCH}
_ON_DEVICE = frozenset({Side.DEVICE, Side.BOTH})


def build_graph(files: Sequence[FileFacts], units: Sequence[UnitFacts]) -> Graph:
    """Build the graph of a tree, with what the compiler says as far as units were parsed.

    Without units it holds the files, their functions, the includes, and the launches whose kernel
    can be told by its name. What is there of both is the compiler's.
    """
    units = sorted(units, key=lambda unit: unit.path)
    functions = FunctionNodes(files, units, join_kernels(units))
    nodes = functions.nodes()
    edges = Edges(files, units, functions).gather(nodes)
    known = [*map(_file_node, files), *nodes]
    if any(edge.target == UNKNOWN for edge in edges):
        known.append(GraphNode(id=UNKNOWN, kind=NodeKind.UNKNOWN, name="?", path=""))
    graph = nx.MultiDiGraph()
    for node in sorted(known, key=lambda node: node.id):
        graph.add_node(node.id, row=node)
    for edge in sorted(edges, key=_edge_order):
        if edge.source in graph and edge.target in graph:
            graph.add_edge(edge.source, edge.target, key=edge.kind, row=edge)
    return graph


def graph_rows(graph: Graph) -> CodeGraph:
    """The graph as rows in a fixed order, with its cycles."""
    return CodeGraph(tuple(_nodes(graph)), tuple(_edges(graph)), strong_components(graph))


def strong_components(graph: Graph) -> tuple[GraphComponent, ...]:
    """The files that include each other, and the functions that call or launch each other."""
    files = _cycles(graph, {LinkKind.INCLUDE})
    functions = _cycles(graph, _LEADS)
    return (
        *(GraphComponent(NodeKind.FILE, members) for members in files),
        *(GraphComponent(NodeKind.FUNCTION, members) for members in functions),
    )


def recursive_device_functions(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """The functions of device code that call themselves, directly or through each other, by id."""
    device = {node.id for node in _nodes(graph) if node.side in _ON_DEVICE}
    return tuple(_cycles(graph.subgraph(device), _CALLS))


def device_virtual_calls(graph: Graph) -> tuple[DeviceCall, ...]:
    """The virtual calls in device code, in order of place."""
    return _device_calls(graph, LinkKind.VIRTUAL)


def device_pointer_calls(graph: Graph) -> tuple[DeviceCall, ...]:
    """The calls through function pointers in device code, in order of place."""
    return _device_calls(graph, LinkKind.POINTER)


def _device_calls(graph: Graph, kind: LinkKind) -> tuple[DeviceCall, ...]:
    calls = [
        DeviceCall(caller=edge.source, target=edge.target, place=place)
        for edge in _edges(graph)
        if edge.kind is kind and graph.nodes[edge.source]["row"].side in _ON_DEVICE
        for place in edge.places
    ]
    return tuple(sorted(calls, key=lambda call: (call.place, call.caller, call.target)))


def _cycles(graph: Graph, kinds: Collection[LinkKind]) -> list[tuple[str, ...]]:
    """The strongly connected parts of more than one node, and nodes that lead to themselves."""
    part = nx.DiGraph()
    part.add_edges_from((edge.source, edge.target) for edge in _edges(graph) if edge.kind in kinds)
    found = (tuple(sorted(members)) for members in nx.strongly_connected_components(part))
    return sorted(
        members for members in found if len(members) > 1 or part.has_edge(*members, *members)
    )


def _nodes(graph: Graph) -> Iterator[GraphNode]:
    for _, row in sorted(graph.nodes(data="row")):
        yield row


def _edges(graph: Graph) -> Iterator[GraphEdge]:
    rows = [row for _, _, row in graph.edges(data="row")]
    yield from sorted(rows, key=_edge_order)


def _edge_order(edge: GraphEdge) -> tuple[str, str, LinkKind]:
    return edge.source, edge.target, edge.kind


def _file_node(file: FileFacts) -> GraphNode:
    return GraphNode(
        id=file_id(file.path),
        kind=NodeKind.FILE,
        name=file.path,
        path=file.path,
        defined=not file.error,
        seen_by=SeenBy.TEXT if file.error_nodes < 0 else SeenBy.TREE,
    )
