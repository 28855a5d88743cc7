"""A unit's own code walked once, every observer being shown the cursors of its kinds."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from migrate.model.verdict import Side
from migrate.parse.clang.cursors import (
    CONTINUE,
    FUNCTION_KINDS,
    RECURSE,
    Cursor,
    Kind,
    children,
    file_place,
    in_system_header,
    qualified_name,
    visit,
)
from migrate.parse.clang.templates import pattern_of
from migrate.parse.clang.unit import ParsedUnit
from migrate.treefile import system_path

_FUNCTIONS = frozenset(kind.value for kind in FUNCTION_KINDS)
_SCOPES = frozenset(kind.value for kind in (Kind.NAMESPACE, Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL))
_GLOBAL, _DEVICE, _HOST = (
    kind.value for kind in (Kind.CUDAGLOBAL_ATTR, Kind.CUDADEVICE_ATTR, Kind.CUDAHOST_ATTR)
)


@dataclass(frozen=True, slots=True)
class FunctionAt:
    """The function definition that a cursor is in.

    ``path`` is the tree's file that it stands in; ``key`` clang's USR, that of the template for
    one; ``cursor`` the definition. ``name`` is its name in full, ``short`` without namespaces, as
    the syntax tree has it.
    """

    key: str
    name: str
    short: str
    path: str
    line: int
    end_line: int
    side: Side
    kernel: bool
    cursor: Cursor

    @property
    def device(self) -> bool:
        """Whether it runs on a GPU (also)."""
        return self.side in {Side.DEVICE, Side.BOTH}


class Observer(Protocol):
    """Gathers facts of one kind from a unit."""

    @property
    def looks(self) -> Mapping[int, Callable[[Cursor, FunctionAt | None], None]]:
        """What to call for a cursor, by the number of its kind (``Kind.CALL_EXPR.value``).

        The second argument is the function around the cursor, None at file scope.
        """


@runtime_checkable
class InstanceObserver(Observer, Protocol):
    """An observer that also looks into what is instantiated from templates."""

    def see_instance(self, function: Cursor) -> None:
        """See a function that was instantiated, whole: of any file but the toolkit's headers."""


class TreeFiles:
    """Which of the tree's files a unit answers for, by libclang's file; asked for every cursor."""

    def __init__(self, unit: ParsedUnit, asks: Collection[str]) -> None:
        self._paths = {f"{unit.root}/{system_path(path)}": path for path in asks}
        self._known: dict[str, str] = {}

    def path(self, file: Any) -> str:  # noqa: ANN401
        """The path relative to the root of a file that the unit answers for, else ""."""
        if file is None:
            return ""
        name = str(file.name)
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._paths.get(os.path.normpath(name), "")
        return known


def walk_unit(unit: ParsedUnit, files: TreeFiles, observers: Sequence[Observer]) -> None:
    """Show every cursor in the files that a unit answers for to the observers that ask for it."""
    _Walk(files, observers).run(unit.handle.cursor)


class _Walk:
    def __init__(self, files: TreeFiles, observers: Sequence[Observer]) -> None:
        self._files = files
        self._function: FunctionAt | None = None
        self._looks: dict[int, list[Callable[[Cursor, FunctionAt | None], None]]] = defaultdict(
            list
        )
        self._instances = [one for one in observers if isinstance(one, InstanceObserver)]
        for observer in observers:
            for kind, look in observer.looks.items():
                self._looks[kind].append(look)

    def run(self, unit: Cursor) -> None:
        visit(unit, self._see_outer)

    def _see_outer(self, cursor: Cursor, _: Cursor) -> int:
        """At file scope only what stands in a file of ours is walked."""
        kind = cursor._kind_id  # noqa: SLF001
        if kind == _MACRO_DEFINITION or in_system_header(cursor):
            return CONTINUE
        if kind in _SCOPES:
            return RECURSE
        if kind in _FUNCTIONS and pattern_of(cursor) != cursor:
            for observer in self._instances:
                observer.see_instance(cursor)
            return CONTINUE
        if not self._files.path(file_place(cursor)[0]):
            return CONTINUE
        follow = self._see(cursor, cursor)
        if follow == RECURSE:
            visit(cursor, self._see)
        return CONTINUE

    def _see(self, cursor: Cursor, _: Cursor) -> int:
        kind = cursor._kind_id  # noqa: SLF001
        for look in self._looks.get(kind, ()):
            look(cursor, self._function)
        if kind not in _FUNCTIONS or not cursor.is_definition():
            return RECURSE
        around, self._function = self._function, function_at(cursor, self._files)
        visit(cursor, self._see)
        self._function = around
        return CONTINUE


_MACRO_DEFINITION = Kind.MACRO_DEFINITION.value


def function_at(definition: Cursor, files: TreeFiles) -> FunctionAt:
    """Describe a function definition or declaration."""
    file, line, _, _ = file_place(definition)
    side, kernel = side_of(definition)
    return FunctionAt(
        key=definition.get_usr(),
        name=qualified_name(definition),
        short=qualified_name(definition, namespaces=False),
        path=files.path(file),
        line=line,
        end_line=definition.extent.end.line,
        side=side,
        kernel=kernel,
        cursor=definition,
    )


def side_of(function: Cursor) -> tuple[Side, bool]:
    """Where a function runs by its attributes, and whether it is a kernel."""
    kinds = {child._kind_id for child in children(function)}  # noqa: SLF001
    if _GLOBAL in kinds:
        return Side.DEVICE, True
    if _DEVICE in kinds:
        return (Side.BOTH if _HOST in kinds else Side.DEVICE), False
    return Side.HOST, False
