"""What names in the text of an attribute are worth: macros, constants, template parameters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from clang import cindex

from migrate.parse.clang.cursors import (
    CONTINUE,
    RECURSE,
    Cursor,
    Kind,
    children,
    in_system_header,
    integer_value,
    qualified_name,
    referenced,
    text_at,
    visit,
)
from migrate.parse.clang.kernels.expressions import Lookup, integer_of
from migrate.parse.clang.unit import ParsedUnit

_MACRO, _VARIABLE, _ENUMERATOR, _NAMESPACE, _ENUM, _LINKAGE = (
    kind.value
    for kind in (
        Kind.MACRO_DEFINITION,
        Kind.VAR_DECL,
        Kind.ENUM_CONSTANT_DECL,
        Kind.NAMESPACE,
        Kind.ENUM_DECL,
        Kind.LINKAGE_SPEC,
    )
)
_PARAMETERS = frozenset(
    kind.value
    for kind in (
        Kind.TEMPLATE_TYPE_PARAMETER,
        Kind.TEMPLATE_NON_TYPE_PARAMETER,
        Kind.TEMPLATE_TEMPLATE_PARAMETER,
    )
)
_INTEGRAL = cindex.TemplateArgumentKind.INTEGRAL
_TYPE = cindex.TemplateArgumentKind.TYPE
_OBJECT_LIKE = re.compile(r"\w+[ \t]+((?:[^\n\\]|\\\r?\n|\\.)*)")
_LONGEST = 1000
_DEEPEST = 8


class Constants:
    """Looks up names in the tree's part of a unit, which is read when one is first asked for."""

    def __init__(self, unit: ParsedUnit) -> None:
        self._unit = unit
        self._values: dict[str, int | None] = {}

    def lookup(self, parameters: Mapping[str, int], instance: Cursor) -> Lookup:
        """The names that stand in a kernel's attribute, its template's parameters first."""

        def value(name: str) -> int | None:
            first, _, rest = name.partition("::")
            if first in parameters:
                return _argument(instance, parameters[first], rest)
            if name not in self._values:
                self._values[name] = self._global(name, 0)
            return self._values[name]

        return value

    def macro_body(self, name: str, file: Any = None, offset: int = 0) -> str | None:  # noqa: ANN401
        """The text that an object-like macro stands for, by its use at a place or by its name."""
        definition = None
        if file is not None:
            handle = self._unit.handle
            place = cindex.SourceLocation.from_offset(handle, file, offset)
            used = cindex.Cursor.from_location(handle, place)
            definition = referenced(used) if used is not None else None
        if definition is None or definition._kind_id != _MACRO:  # noqa: SLF001
            definition = self._macros.get(name)
        if definition is None:
            return None
        place = definition.extent.start
        text = text_at(self._unit.handle, place.file, place.offset, _LONGEST) if place.file else ""
        body = _OBJECT_LIKE.match(text)
        return re.sub(r"\\\r?\n", " ", body[1]) if body else None

    def _global(self, name: str, depth: int) -> int | None:
        if depth > _DEEPEST:
            return None
        body = self.macro_body(name) if "::" not in name else None
        if body is not None:
            return integer_of(body, lambda inner: self._global(inner, depth + 1))
        values = {
            integer_value(one) if one._kind_id == _VARIABLE else int(one.enum_value)  # noqa: SLF001
            for one in self._constants.get(name.rpartition("::")[2], ())
            if f"::{qualified_name(one)}".endswith(f"::{name}")
        }
        return values.pop() if len(values) == 1 else None

    @cached_property
    def _found(self) -> tuple[dict[str, Cursor], dict[str, list[Cursor]]]:
        macros: dict[str, Cursor] = {}
        constants: dict[str, list[Cursor]] = defaultdict(list)

        def see(cursor: Cursor, _: Cursor) -> int:
            kind = cursor._kind_id  # noqa: SLF001
            if in_system_header(cursor):
                return CONTINUE
            if kind == _MACRO:
                macros[cursor.spelling] = cursor
            elif kind in {_VARIABLE, _ENUMERATOR}:
                constants[cursor.spelling].append(cursor)
            return RECURSE if kind in {_NAMESPACE, _ENUM, _LINKAGE} else CONTINUE

        visit(self._unit.handle.cursor, see)
        return macros, constants

    @property
    def _macros(self) -> dict[str, Cursor]:
        return self._found[0]

    @property
    def _constants(self) -> dict[str, list[Cursor]]:
        return self._found[1]


def template_parameters(pattern: Cursor) -> dict[str, int]:
    """The parameters of a function template by name, with their places in its list."""
    parameters = (one for one in children(pattern) if one._kind_id in _PARAMETERS)  # noqa: SLF001
    return {str(child.spelling): at for at, child in enumerate(parameters)}


def _argument(instance: Cursor, at: int, member: str) -> int | None:
    """The value of a template argument, or of a static member of the type that it is."""
    if at >= instance.get_num_template_arguments():
        return None
    kind = instance.get_template_argument_kind(at)
    if not member:
        return int(instance.get_template_argument_value(at)) if kind == _INTEGRAL else None
    if kind != _TYPE or "::" in member:
        return None
    for child in children(instance.get_template_argument_type(at).get_declaration()):
        if child.spelling != member:
            continue
        if child._kind_id == _VARIABLE:  # noqa: SLF001
            return integer_value(child)
    return None
