"""The graph's edges: includes, what a file contains, calls and launches, each once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from migrate.facts.graph_nodes import UNKNOWN, FunctionNodes, file_id, last_name
from migrate.facts.includes import IncludeGraph, resolve_include
from migrate.model.facts import FileFacts
from migrate.model.graph import GraphEdge, GraphNode, LinkKind, Place
from migrate.model.semantic import CallEdge, EdgeKind, UnitFacts
from migrate.model.verdict import SeenBy

_Ends = tuple[str, str, LinkKind]


@dataclass(slots=True)
class _Gathered:
    places: set[Place] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    by_clang: bool = False


class Edges:
    """Gathers edges; what many units see at one place is one."""

    def __init__(
        self, files: Sequence[FileFacts], units: Sequence[UnitFacts], functions: FunctionNodes
    ) -> None:
        self._files = files
        self._units = units
        self._functions = functions
        self._edges: dict[_Ends, _Gathered] = defaultdict(_Gathered)

    def gather(self, nodes: Sequence[GraphNode]) -> list[GraphEdge]:
        """All edges, in no order."""
        self._include()
        for node in nodes:
            gathered = self._edges[file_id(node.path), node.id, LinkKind.CONTAINS]
            gathered.by_clang = node.seen_by is SeenBy.CLANG
        self._calls({*EdgeKind} - {EdgeKind.LAUNCH})
        self.launches()
        return [_edge(ends, gathered) for ends, gathered in self._edges.items()]

    def launches(self) -> list[GraphEdge]:
        """The launches alone, in no order."""
        self._calls({EdgeKind.LAUNCH})
        self._drop_settled()
        self._launches_of_trees()
        return [
            _edge(ends, gathered)
            for ends, gathered in self._edges.items()
            if ends[2] is LinkKind.LAUNCH
        ]

    def _calls(self, kinds: Collection[EdgeKind]) -> None:
        for unit in self._units:
            for edge in unit.calls:
                if edge.kind in kinds:
                    self._call(edge, unit.path)

    def _include(self) -> None:
        paths = {file.path for file in self._files}
        by_name: dict[str, list[str]] = defaultdict(list)
        for path in sorted(paths):
            by_name[path.rpartition("/")[2]].append(path)
        read_with = self._read_together()
        for file in self._files:
            together = read_with.get(file.path, set())
            for include in file.includes:
                meant = resolve_include(file.path, include.name, paths, by_name)
                read = [path for path in meant if path in together]
                for path in read or meant:
                    ends = (file_id(file.path), file_id(path), LinkKind.INCLUDE)
                    self._edges[ends].places.add(Place(file.path, include.line, 1))
                    self._edges[ends].by_clang |= bool(read)

    def _read_together(self) -> dict[str, set[str]]:
        """By file, the files that the units read which read it: what an include can mean."""
        together: dict[str, set[str]] = defaultdict(set)
        for unit in self._units:
            for path in unit.includes:
                together[path].update(unit.includes)
        return together

    def _call(self, edge: CallEdge, unit: str) -> None:
        caller = self._functions.of_key(edge.caller, unit) if edge.caller else file_id(edge.path)
        callee = self._functions.of_key(edge.callee, unit) if edge.callee else UNKNOWN
        if caller is None or callee is None:
            return
        gathered = self._edges[caller, callee, LinkKind(edge.kind.value)]
        gathered.by_clang = True
        gathered.places.add(Place(edge.path, edge.line, edge.column))
        if edge.arguments:
            gathered.arguments.add(edge.arguments)

    def _drop_settled(self) -> None:
        """Where one unit cannot tell what is launched and another can, it is known."""
        told = {
            (source, place)
            for (source, target, kind), gathered in self._edges.items()
            if kind is LinkKind.LAUNCH and target != UNKNOWN
            for place in gathered.places
        }
        for (source, target, kind), gathered in list(self._edges.items()):
            if kind is LinkKind.LAUNCH and target == UNKNOWN:
                gathered.places -= {place for place in gathered.places if (source, place) in told}
                if not gathered.places:
                    del self._edges[source, target, kind]

    def _launches_of_trees(self) -> None:
        """Launches where no unit has seen one: in files not parsed, in branches not taken."""
        includes = IncludeGraph(self._files)
        kernels = self._functions.kernels()
        seen = {
            (place.path, place.line)
            for (_, target, kind), gathered in self._edges.items()
            if kind is LinkKind.LAUNCH and target != UNKNOWN
            for place in gathered.places
        }
        for file in self._files:
            for launch in file.launches:
                if (file.path, launch.line) in seen:
                    continue
                named = kernels.get(last_name(launch.kernel), ())
                kernel = _kernel_meant(named, file.path, includes)
                if kernel is not None:
                    caller = self._functions.around(file.path, launch.line) or file_id(file.path)
                    gathered = self._edges[caller, kernel, LinkKind.LAUNCH]
                    gathered.places.add(Place(file.path, launch.line, launch.column))


def _kernel_meant(
    kernels: Sequence[tuple[str, str]], path: str, includes: IncludeGraph
) -> str | None:
    """The id of the one kernel of that name: in the tree, in sight of the file, or in it."""
    in_sight = [one for one in kernels if path in includes.reach(one[0])]
    in_file = [one for one in kernels if one[0] == path]
    for candidates in (kernels, in_sight, in_file):
        if len(candidates) == 1:
            return candidates[0][1]
    return None


def _edge(ends: _Ends, gathered: _Gathered) -> GraphEdge:
    source, target, kind = ends
    return GraphEdge(
        source=source,
        target=target,
        kind=kind,
        places=tuple(sorted(gathered.places)),
        arguments=tuple(sorted(gathered.arguments)),
        seen_by=SeenBy.CLANG if gathered.by_clang else SeenBy.TREE,
    )
