"""The graph of a tree's files, functions and kernels, as rows in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrate.model.kernel import KernelTraits
from migrate.model.verdict import SeenBy, Side


class NodeKind(StrEnum):
    """What a node is."""

    FILE = "file"
    FUNCTION = "function"
    UNKNOWN = "unknown"
    """What a pointer points to that nobody can tell: one node for all of them."""


class LinkKind(StrEnum):
    """How one node leads to another."""

    INCLUDE = "include"
    CONTAINS = "contains"
    CALL = "call"
    LAUNCH = "launch"
    ADDRESS = "address"
    VIRTUAL = "virtual"
    POINTER = "pointer"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A file, or a function with where it runs.

    ``id`` is ``file:<path>`` or ``function:<name>@<path>``, with the line behind it where a file
    has several of one name. ``line`` is 0 for a file. ``defined`` says whether the body was seen.
    ``traits`` are those of a kernel whose body was seen.
    """

    id: str
    kind: NodeKind
    name: str
    path: str
    line: int = 0
    side: Side = Side.UNKNOWN
    kernel: bool = False
    defined: bool = True
    seen_by: SeenBy = SeenBy.TREE
    traits: KernelTraits | None = None


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in the tree."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """That one node leads to another in one way, at all of its ``places``.

    ``arguments`` are the template arguments with which a kernel is launched, each once.
    """

    source: str
    target: str
    kind: LinkKind
    places: tuple[Place, ...] = ()
    arguments: tuple[str, ...] = ()
    seen_by: SeenBy = SeenBy.TREE


@dataclass(frozen=True, slots=True)
class GraphComponent:
    """Files that include each other, or functions that call each other, in order of id.

    A single one is in it that leads to itself.
    """

    kind: NodeKind
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeGraph:
    """All nodes in order of id, edges in order of source, target and kind, and the cycles."""

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    components: tuple[GraphComponent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCall:
    """A call in device code whose target is settled when it runs; ``target`` may be unknown."""

    caller: str
    target: str
    place: Place
