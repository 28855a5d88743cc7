"""The functions of the tree that a unit knows: one node a template, whichever instance is met."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

from migrate.model.semantic import FunctionNode
from migrate.parse.clang.cursors import (
    FUNCTION_KINDS,
    Cursor,
    Kind,
    file_place,
    in_system_header,
    is_type_of_pointer_to_function,
    overloads,
    qualified_name,
    referenced,
)
from migrate.parse.clang.templates import pattern_of, template_arguments
from migrate.parse.clang.unit import ParsedUnit
from migrate.parse.clang.walk import side_of
from migrate.treefile import printable_path

FUNCTIONS = frozenset(kind.value for kind in FUNCTION_KINDS)
_OVERLOADS = Kind.OVERLOADED_DECL_REF.value
_CONVERSION = Kind.CONVERSION_FUNCTION.value
_MADE = frozenset({Kind.CONSTRUCTOR.value, Kind.DESTRUCTOR.value})
_METHODS = frozenset(
    kind.value
    for kind in (Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION)
)


@dataclass(frozen=True, eq=False)
class Known:
    """A function of the tree as a unit meets it; met again, it is the same object.

    ``node`` is the template's for an instantiation, ``instance`` clang's USR of what was met, and
    ``cursor`` its declaration. ``gives_pointer`` says that it returns a pointer to a function.
    """

    node: FunctionNode
    instance: str
    cursor: Cursor
    gives_pointer: bool

    @cached_property
    def arguments(self) -> str:
        """The template arguments of an instantiation as clang spells them, else ""."""
        return template_arguments(self.cursor)


class Functions:
    """Functions asked by their declarations; each is described once."""

    def __init__(self, unit: ParsedUnit) -> None:
        self._root = os.path.normpath(unit.root).replace(os.sep, "/").rstrip("/") + "/"
        self._known: dict[Cursor, Known | None] = {}
        self._paths: dict[str, str] = {}
        self._nodes: dict[str, FunctionNode] = {}

    def of(self, declaration: Cursor) -> Known | None:
        """The function of a declaration; None for what the tree does not have.

        That is what a system header declares, what the compiler adds to a class, and a lambda,
        whose body counts to the function around it.
        """
        try:
            return self._known[declaration]
        except KeyError:
            known = self._known[declaration] = self._describe(declaration)
            return known

    def of_overloads(self, expression: Cursor) -> Known | None:
        """The function that a name means which only an instantiation settles.

        It is taken where there is no choice: one function of that name, and one of the tree.
        """
        named = referenced(expression)
        if named is None or named._kind_id != _OVERLOADS:  # noqa: SLF001
            return None
        found = overloads(named)
        if len(found) != 1 or found[0]._kind_id not in FUNCTIONS:  # noqa: SLF001
            return None
        return self.of(found[0])

    def nodes(self) -> tuple[FunctionNode, ...]:
        """Every function of the tree that was asked for, in order of place."""
        return tuple(
            sorted(self._nodes.values(), key=lambda node: (node.path, node.line, node.key))
        )

    def place(self, cursor: Cursor) -> tuple[str, int, int]:
        """The path in the tree, line and column of a cursor; "" for a path outside it."""
        file, line, column, _ = file_place(cursor)
        if file is None:
            return "", line, column
        name = str(file.name)
        path = self._paths.get(name)
        if path is None:
            path = self._paths[name] = self._tree_path(name)
        return path, line, column

    def _tree_path(self, name: str) -> str:
        whole = os.path.normpath(name).replace(os.sep, "/")
        if not whole.startswith(self._root):
            return ""
        return printable_path(whole.removeprefix(self._root))

    def _describe(self, declaration: Cursor) -> Known | None:
        if in_system_header(declaration) or _compiler_made(declaration):
            return None
        pattern = pattern_of(declaration)
        definition = pattern.get_definition()
        shown = definition or pattern
        path, line, _ = self.place(shown)
        if not path:
            return None
        side, kernel = side_of(shown)
        node = FunctionNode(
            key=pattern.get_usr(),
            name=_name_of(shown),
            path=path,
            line=line,
            side=side,
            kernel=kernel,
            defined=definition is not None,
        )
        self._nodes.setdefault(node.key, node)
        pointer = is_type_of_pointer_to_function(declaration.result_type)
        return Known(node, declaration.get_usr(), declaration, pointer)


def _compiler_made(function: Cursor) -> bool:
    """Whether a method stands nowhere in the text, or is a lambda's."""
    if function._kind_id not in _METHODS:  # noqa: SLF001
        return False
    parent = function.semantic_parent
    if parent is None:
        return False
    return "(lambda" in parent.type.spelling or file_place(function) == file_place(parent)


def _name_of(function: Cursor) -> str:
    """The qualified name, as the template's text has it for what a template holds."""
    name = qualified_name(function)
    kind = function._kind_id  # noqa: SLF001
    if kind == _CONVERSION and "type-parameter-" in name:
        return f"{name.rpartition('operator ')[0]}operator {function.result_type.spelling}"
    return name.partition("<")[0] if kind in _MADE else name
