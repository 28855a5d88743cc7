"""Kernels and their instantiations: shared memory in bytes, launch bounds, attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from migrate.model.semantic import KernelInstance
from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    children,
    file_place,
    spelling_place,
    text_at,
)
from migrate.parse.clang.kernels.bodies import Bodies, Body
from migrate.parse.clang.kernels.constants import Constants, template_parameters
from migrate.parse.clang.kernels.expressions import arguments_of, integer_of
from migrate.parse.clang.kernels.functions import Known
from migrate.parse.clang.templates import pattern_of
from migrate.parse.clang.unit import ParsedUnit
from migrate.parse.clang.walk import FunctionAt, TreeFiles

_ATTRIBUTE, _PARAMETER, _TEMPLATE = (
    kind.value for kind in (Kind.UNEXPOSED_ATTR, Kind.PARM_DECL, Kind.FUNCTION_TEMPLATE)
)
_KEPT = frozenset({"cluster_dims", "maxnreg", "grid_constant", "noinline"})
_BOUNDS = "launch_bounds"
_WORD = re.compile(r"\w+")
_LONGEST = 1000
"""Bytes of an attribute's text that are looked at."""
_UNKNOWN = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """A kernel's place and attributes; ``parameters`` are its template's, by name."""

    path: str
    line: int
    column: int
    bounds: tuple[str, ...]
    attributes: tuple[str, ...]
    parameters: Mapping[str, int]


class KernelObserver:
    """Gathers the kernels of a unit's files, and those that it instantiates from any file.

    With the ``bodies`` of another observer it needs to see nothing itself.
    """

    def __init__(self, unit: ParsedUnit, files: TreeFiles, bodies: Bodies | None = None) -> None:
        self._own = bodies is None
        self._bodies = bodies or Bodies(unit)
        self._files = files
        self._unit = unit
        self._constants = Constants(unit)
        self._written: dict[str, _Written] = {}

    @property
    def looks(self) -> Mapping[int, Callable[[Cursor, FunctionAt | None], None]]:
        """What the walk is to show."""
        return self._bodies.looks if self._own else {}

    def see_instance(self, function: Cursor) -> None:
        """See an instantiation."""
        if self._own:
            self._bodies.see_instance(function)

    def finish(self) -> tuple[KernelInstance, ...]:
        """The kernels, in order of place and arguments."""
        kernels = [
            (body.function, body)
            for body in self._bodies.all()
            if body.function is not None and body.function.node.kernel
        ]
        instantiated = {known.node.key for known, body in kernels if not _is_template(body)}
        found = {
            self._describe(known, body)
            for known, body in kernels
            if not (_is_template(body) and known.node.key in instantiated)
        }
        return tuple(sorted(found, key=_order))

    def _describe(self, known: Known, body: Body) -> KernelInstance:
        written = self._written.get(known.node.key)
        if written is None:
            written = self._written[known.node.key] = self._read(pattern_of(body.cursor))
        shared, dynamic = self._shared(body)
        lookup = self._constants.lookup(written.parameters, body.cursor)
        return KernelInstance(
            key=known.node.key,
            name=known.node.name,
            arguments=known.arguments,
            path=written.path,
            line=written.line,
            column=written.column,
            static_shared=shared,
            dynamic_shared=dynamic,
            launch_bounds=tuple(integer_of(bound, lookup) for bound in written.bounds),
            attributes=written.attributes,
        )

    def _read(self, kernel: Cursor) -> _Written:
        """What a kernel's text says, the same for all instantiations."""
        definition = kernel.get_definition() or kernel
        path, line, column = self._bodies.functions.place(definition)
        attributes = list(_attributes(definition))
        bounds = next((one for one in attributes if self._kind(one) == _BOUNDS), None)
        names = (self._kind(one) for one in attributes)
        return _Written(
            path=path,
            line=line,
            column=column,
            bounds=self._bounds(bounds) if bounds is not None else (),
            attributes=tuple(dict.fromkeys(f"__{name}__" for name in names if name in _KEPT)),
            parameters=template_parameters(definition),
        )

    def _shared(self, kernel: Body) -> tuple[int, bool]:
        """Bytes of shared variables, and whether the launch gives some, with what it calls."""
        size, dynamic = 0, False
        variables: set[Cursor] = set()
        for body in self._reached(kernel):
            dynamic |= body.dynamic_shared
            variables.update(body.shared)
        for variable in variables:
            bytes_of_it = variable.type.get_size()
            if bytes_of_it < 0:
                return _UNKNOWN, dynamic
            size += bytes_of_it
        return size, dynamic

    def _reached(self, kernel: Body) -> Iterator[Body]:
        """A kernel and the functions of the tree that it calls, directly or not, once each."""
        seen: set[Body] = {kernel}
        waiting = [kernel]
        while waiting:
            body = waiting.pop()
            yield body
            for call in body.calls:
                if call.target is None or call.target.node.kernel:
                    continue
                called = self._bodies.body_of(call.target)
                if called is not None and called not in seen:
                    seen.add(called)
                    waiting.append(called)

    def _kind(self, attribute: Cursor) -> str:
        """An attribute's name without its underscores, through the macro that gives it."""
        file, _, _, offset = spelling_place(attribute)
        word = _WORD.match(text_at(self._unit.handle, file, offset, _LONGEST) if file else "")
        return word[0].strip("_") if word else ""

    def _bounds(self, attribute: Cursor) -> tuple[str, ...]:
        """The arguments as written; one that says nothing where they cannot be found."""
        file, _, _, offset = file_place(attribute)
        text = text_at(self._unit.handle, file, offset, _LONGEST) if file else ""
        name = _WORD.match(text)
        if name is not None and name[0].strip("_") != _BOUNDS:
            text = self._constants.macro_body(name[0], file, offset) or ""
            name = re.search(r"\b_*launch_bounds_*\b", text)
        arguments = arguments_of(text[name.end() :]) if name else None
        return ("",) if arguments is None else tuple(arguments)


def _order(one: KernelInstance) -> tuple[str, int, int, str, str, str]:
    return one.path, one.line, one.column, one.name, one.arguments, one.key


def _is_template(body: Body) -> bool:
    return bool(body.cursor._kind_id == _TEMPLATE)  # noqa: SLF001


def _attributes(pattern: Cursor) -> Iterator[Cursor]:
    """The attributes of a function and its parameters that libclang has no kind for."""
    for child in children(pattern):
        if child._kind_id == _ATTRIBUTE:  # noqa: SLF001
            yield child
        elif child._kind_id == _PARAMETER:  # noqa: SLF001
            yield from (one for one in children(child) if one._kind_id == _ATTRIBUTE)  # noqa: SLF001
