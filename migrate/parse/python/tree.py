"""The one home of tree-sitter-python: what stands at a place, whatever is broken around it.

The grammar reads Python 2 and 3, and what it cannot read, as the magics of a notebook, costs a
line and not the file. Places are looked up from words that a pattern found, so that nothing walks
a whole tree; a place deeper than any person writes is given up, which keeps the time linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice

import tree_sitter_python
from tree_sitter import Language, Node, Parser

_DEEPEST = 120
_IMPORT = re.compile(rb"^[ \t]*(?:import|from)\b", re.MULTILINE)
_MOST_IMPORTS = 500
_MOST_ASSIGNED = 20
MOST_NAMES = 100
"""How many names of a file are looked up by going through it."""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


@dataclass(frozen=True, slots=True)
class Step:
    """A node on the way down to a place, and the field of its parent that it is."""

    node: Node
    field: str


Path = tuple[Step, ...]


class PythonTree:
    """A parsed Python file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.root = _parser().parse(data).root_node
        self._assigned: dict[str, tuple[Node, ...]] = {}

    @cached_property
    def _statements(self) -> tuple[list[Node], list[int]]:
        """The outermost nodes and where they start; a module may have very many."""
        nodes = self.root.children
        return nodes, [node.start_byte for node in nodes]

    def path(self, offset: int) -> Path:
        """The nodes around a byte, outermost first; () where they are nested too deeply."""
        nodes, starts = self._statements
        at = bisect_right(starts, offset) - 1
        if at < 0 or nodes[at].end_byte <= offset:
            return (Step(self.root, ""),)
        found = [Step(self.root, ""), Step(nodes[at], "")]
        cursor = nodes[at].walk()
        while cursor.goto_first_child_for_byte(offset) is not None:
            node = cursor.node
            if node is None or node.start_byte > offset:
                break
            found.append(Step(node, cursor.field_name or ""))
            if len(found) > _DEEPEST:
                return ()
        return tuple(found)

    def assigned(self, name: str) -> tuple[Node, ...]:
        """The values that the file assigns to a name, some of them where they are many."""
        if name not in self._assigned and len(self._assigned) == MOST_NAMES:
            return ()
        if name not in self._assigned:
            self._assigned[name] = tuple(self._assignments(name))
        return self._assigned[name]

    def _assignments(self, name: str) -> Iterator[Node]:
        form = re.compile(rb"(?<![\w.])" + re.escape(name.encode()) + rb"\s*\+?=(?!=)")
        for match in islice(form.finditer(self.data), _MOST_ASSIGNED):
            for step in reversed(self.path(match.start())):
                if step.node.type in {"assignment", "augmented_assignment"}:
                    right = step.node.child_by_field_name("right")
                    if right is not None:
                        yield right
                    break

    def text(self, node: Node) -> str:
        """A node's source."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @cached_property
    def names(self) -> dict[str, str]:
        """What the names that the file imports stand for, in full."""
        found: dict[str, str] = {}
        for number, match in enumerate(_IMPORT.finditer(self.data)):
            if number == _MOST_IMPORTS:
                break
            for step in self.path(match.end() - 1):
                if step.node.type in {"import_statement", "import_from_statement"}:
                    found.update(self.imported(step.node))
        return found

    def imported(self, statement: Node) -> Iterator[tuple[str, str]]:
        """The names that an import brings in, each with what it stands for in full."""
        module = statement.child_by_field_name("module_name")
        if module is not None and module.type != "dotted_name":
            return
        start = f"{self.text(module)}." if module is not None else ""
        for node in statement.children_by_field_name("name"):
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            if name is not None and alias is not None:
                yield self.text(alias), start + self.text(name)
            elif start:
                yield self.text(node), start + self.text(node)
            else:
                first = self.text(node).partition(".")[0]
                yield first, first

    def full_name(self, node: Node | None) -> str:
        """The full name that an expression such as ``cpp_extension.load`` stands for, else ""."""
        parts: list[str] = []
        while node is not None and node.type == "attribute" and len(parts) < _DEEPEST:
            last = node.child_by_field_name("attribute")
            parts.append(self.text(last) if last is not None else "")
            node = node.child_by_field_name("object")
        if node is None or node.type != "identifier":
            return ""
        first = self.text(node)
        return ".".join((self.names.get(first, first), *reversed(parts)))

    def name_at(self, path: Path) -> tuple[str, Path]:
        """The longest full name that ends at a place, and the way to it; ("", ()) for none."""
        end = len(path) - 1
        if end < 0 or path[end].node.type != "identifier":
            return "", ()
        if path[end].field == "attribute":
            end -= 1
        return self.full_name(path[end].node), path[: end + 1]


def arguments_of(call: Node) -> tuple[list[Node], dict[str, Node]]:
    """The arguments of a call by place and by keyword."""
    placed: list[Node] = []
    named: dict[str, Node] = {}
    arguments = call.child_by_field_name("arguments")
    for node in arguments.named_children if arguments is not None else ():
        if node.type == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and value is not None and name.text:
                named[name.text.decode("utf-8", "replace")] = value
        elif node.type != "comment":
            placed.append(node)
    return placed, named
