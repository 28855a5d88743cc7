"""The graph's functions: what the syntax trees found and what the compiler knows, as one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from migrate.facts.kernel_traits import traits_by_place, traits_of_tree
from migrate.model.facts import FileFacts
from migrate.model.graph import GraphNode, NodeKind
from migrate.model.semantic import FunctionNode, KernelInstance, UnitFacts
from migrate.model.verdict import SeenBy

UNKNOWN = "unknown"
"""The id of the node that stands for every target that nobody can tell."""


def file_id(path: str) -> str:
    """The id of a file's node."""
    return f"file:{path}"


@dataclass(frozen=True, slots=True)
class _Found:
    """A function before it has an id; ``end_line`` is 0 where only the compiler saw it."""

    node: GraphNode
    end_line: int = 0


class FunctionNodes:
    """Every function of the tree, found by its place or by the compiler's key.

    A key may stand for several functions: the programs of one tree may each have a ``main``.
    ``kernels`` are those of all units together.
    """

    def __init__(
        self,
        files: Sequence[FileFacts],
        units: Sequence[UnitFacts],
        kernels: Iterable[KernelInstance],
    ) -> None:
        self._traits = traits_by_place(kernels)
        self._paths = frozenset(file.path for file in files)
        self._found: list[_Found] = list(_from_trees(files))
        self._by_path: dict[str, list[int]] = defaultdict(list)
        for number, found in enumerate(self._found):
            self._by_path[found.node.path].append(number)
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)
        self._declared: dict[str, int] = {}
        self._in_unit: dict[str, dict[str, FunctionNode]] = {}
        for unit in units:
            self._in_unit[unit.path] = {node.key: node for node in unit.functions}
            self._take(node for node in unit.functions if node.defined)
        for unit in units:
            self._take_declared(unit.functions)
        self._ids = _unique_ids([found.node for found in self._found])

    def nodes(self) -> list[GraphNode]:
        """The nodes, in no order."""
        return [
            replace(found.node, id=name) for found, name in zip(self._found, self._ids, strict=True)
        ]

    def around(self, path: str, line: int) -> str | None:
        """The id of the innermost function whose text holds a line of a file."""
        holding = [
            number
            for number in self._by_path[path]
            if self._found[number].node.line <= line <= self._found[number].end_line
        ]
        if not holding:
            return None
        return self._ids[max(holding, key=lambda number: self._found[number].node.line)]

    def of_key(self, key: str, unit: str) -> str | None:
        """The id of what a unit means by a key; of several, the closest in the tree's folders."""
        numbers = self._numbers.get(key)
        if not numbers:
            number = self._declared.get(key)
            return None if number is None else self._ids[number]
        seen = self._in_unit[unit].get(key)
        if seen is not None and seen.defined and seen.path in numbers:
            return self._ids[numbers[seen.path]]
        path = min(numbers, key=lambda one: (-_folders_shared(one, unit), one))
        return self._ids[numbers[path]]

    def kernels(self) -> Mapping[str, list[tuple[str, str]]]:
        """The kernels by the last part of their name, each as path and id."""
        named: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for found, name in zip(self._found, self._ids, strict=True):
            if found.node.kernel and found.node.defined:
                named[last_name(found.node.name)].append((found.node.path, name))
        return named

    def _take(self, nodes: Iterable[FunctionNode]) -> None:
        for node in nodes:
            if node.path in self._paths and node.path not in self._numbers[node.key]:
                self._numbers[node.key][node.path] = self._place(node)

    def _take_declared(self, nodes: Iterable[FunctionNode]) -> None:
        """A function of which no unit has the body: the tree may have it, or nobody."""
        for node in nodes:
            known = self._numbers.get(node.key) or node.key in self._declared
            if not known and node.path in self._paths:
                self._declared[node.key] = self._add(node)

    def _place(self, node: FunctionNode) -> int:
        """Bring up what a tree found at the same place, else add the function."""
        for number in reversed(self._by_path[node.path]):
            found = self._found[number]
            if _is_same(found, node):
                brought_up = self._node(node, found.node)
                self._found[number] = _Found(brought_up, max(found.end_line, node.line))
                return number
        return self._add(node)

    def _add(self, node: FunctionNode) -> int:
        self._found.append(_Found(self._node(node)))
        self._by_path[node.path].append(len(self._found) - 1)
        return len(self._found) - 1

    def _node(self, node: FunctionNode, before: GraphNode | None = None) -> GraphNode:
        """A compiler's function, with what was known ``before`` of one whose body it misses."""
        traits = self._traits.get((node.path, node.line, node.name))
        if traits is None and before is not None:
            traits = before.traits
        return GraphNode(
            id="",
            kind=NodeKind.FUNCTION,
            name=node.name,
            path=node.path,
            line=node.line,
            side=node.side,
            kernel=node.kernel,
            defined=node.defined,
            seen_by=SeenBy.CLANG,
            traits=traits if node.kernel else None,
        )


def _is_same(found: _Found, node: FunctionNode) -> bool:
    """Whether the compiler's function is one of a tree's, or another unit's under another key."""
    known = found.node
    if known.seen_by is SeenBy.CLANG:
        return (known.line, known.name) == (node.line, node.name)
    holds = known.line <= node.line <= found.end_line
    return holds and last_name(known.name) == last_name(node.name)


def last_name(name: str) -> str:
    """``k`` of ``ns::k<int>``."""
    return name.partition("<")[0].rpartition("::")[2]


def _from_trees(files: Iterable[FileFacts]) -> Iterable[_Found]:
    for file in files:
        for function in file.functions:
            node = GraphNode(
                id="",
                kind=NodeKind.FUNCTION,
                name=function.name,
                path=file.path,
                line=function.line,
                side=function.side,
                kernel=function.kernel,
                traits=traits_of_tree(file, function) if function.kernel else None,
            )
            yield _Found(node, function.end_line)


def _unique_ids(nodes: Sequence[GraphNode]) -> list[str]:
    """``function:<name>@<path>``, with the line and a number where that is not enough."""
    short = [f"function:{node.name}@{node.path}" for node in nodes]
    count = Counter(short)
    used: set[str] = set()
    ids = []
    for node, name in zip(nodes, short, strict=True):
        wanted = name if count[name] == 1 else f"{name}:{node.line}"
        found, number = wanted, 1
        while found in used:
            number += 1
            found = f"{wanted}#{number}"
        used.add(found)
        ids.append(found)
    return ids


def _folders_shared(one: str, other: str) -> int:
    count = 0
    for mine, theirs in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        count += 1
    return count
