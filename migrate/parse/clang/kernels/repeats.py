"""Which statements of a template say the same in every instantiation: they are read only once.

A template may be instantiated hundreds of times, and each of them is a body of its own. Most of a
body is arithmetic that no instantiation changes; finding it once makes reading the rest cheap.
What is lost are copies that only the type of a returned value makes: their constructors' calls.
"""

from __future__ import annotations

import ctypes

from clang.cindex import TypeKind, conf

from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    children,
    in_system_header,
    overloads,
    referenced,
)
from migrate.parse.clang.kernels.functions import FUNCTIONS, Functions
from migrate.parse.clang.templates import pattern_of

BLOCK = Kind.COMPOUND_STMT.value
"""The kind of the cursors whose children are statements."""
_CALL, _NAME, _MEMBER, _OVERLOADS, _SHARED, _VARIABLE = (
    kind.value
    for kind in (
        Kind.CALL_EXPR,
        Kind.DECL_REF_EXPR,
        Kind.MEMBER_REF_EXPR,
        Kind.OVERLOADED_DECL_REF,
        Kind.CUDASHARED_ATTR,
        Kind.VAR_DECL,
    )
)
_NAMING = frozenset({_CALL, _NAME, _MEMBER})
_TEMPLATE = Kind.FUNCTION_TEMPLATE.value
_CLASS_TEMPLATES = frozenset(
    {Kind.CLASS_TEMPLATE.value, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION.value}
)
_OUTSIDE = frozenset({Kind.TRANSLATION_UNIT.value, Kind.NAMESPACE.value})
_OPERATORS = frozenset(
    kind.value
    for kind in (
        Kind.BINARY_OPERATOR,
        Kind.COMPOUND_ASSIGNMENT_OPERATOR,
        Kind.UNARY_OPERATOR,
        Kind.ARRAY_SUBSCRIPT_EXPR,
    )
)
_DEPENDENT_SIZE = -3  # CXTypeLayoutError_Dependent


_DEEPEST = 300


class _TooDeepError(Exception):
    """A template is nested so deeply that all of it is better read again each time."""


def statements_that_repeat(template: Cursor, functions: Functions) -> dict[int, Cursor]:
    """The statements of a template that no instantiation has to be asked for, by byte offset.

    No name or type in them waits for the template's arguments, they use no template of the tree,
    and hold no shared memory.
    """
    same: dict[int, Cursor] = {}
    other: set[int] = set()

    def differs(cursor: Cursor, depth: int) -> bool:
        if depth > _DEEPEST:
            raise _TooDeepError
        block = cursor._kind_id == BLOCK  # noqa: SLF001
        found = False
        for child in children(cursor):
            one = _matters(child, functions)
            one |= differs(child, depth + 1)
            if block and one:
                other.add(offset_of(child))
            elif block:
                # What stands at one place, being made by a macro, is taken for one statement.
                place = offset_of(child)
                if place in same:
                    other.add(place)
                same[place] = child
            found |= one
        return found

    try:
        differs(template, 0)
    except _TooDeepError:
        return {}
    return {offset: statement for offset, statement in same.items() if offset not in other}


def offset_of(cursor: Cursor) -> int:
    """The byte offset of a cursor in its file, by the shortest way."""
    conf.lib.clang_getFileLocation(
        conf.lib.clang_getCursorLocation(cursor), None, None, None, _OFFSET_AT
    )
    return _OFFSET.value


_OFFSET = ctypes.c_uint()
_OFFSET_AT = ctypes.byref(_OFFSET)


def _matters(cursor: Cursor, functions: Functions) -> bool:
    kind = cursor._kind_id  # noqa: SLF001
    if kind == _SHARED:
        return True
    if kind in _OPERATORS:
        return bool(cursor.type.kind == TypeKind.DEPENDENT)
    if kind == _VARIABLE:
        return bool(conf.lib.clang_Type_getSizeOf(cursor.type) == _DEPENDENT_SIZE)
    return kind in _NAMING and _is_unsettled(cursor, functions)


def _is_unsettled(cursor: Cursor, functions: Functions) -> bool:
    """Whether a call or name may be something else in an instantiation."""
    is_call = cursor._kind_id == _CALL  # noqa: SLF001
    target = referenced(cursor)
    if target is None:
        return not (is_call and _is_of_overloads(cursor))
    named = target._kind_id  # noqa: SLF001
    if named in FUNCTIONS:
        return functions.of(target) is not None and _is_of_template(target)
    if named == _OVERLOADS:
        return not all(map(in_system_header, overloads(target)))
    if named == _VARIABLE and target.type.kind == TypeKind.INCOMPLETEARRAY:
        return True
    return bool(is_call)


def _is_of_template(function: Cursor) -> bool:
    """Whether it is a template or an instantiation, or a member of one."""
    if function._kind_id == _TEMPLATE or pattern_of(function) != function:  # noqa: SLF001
        return True
    parent = function.semantic_parent
    while parent is not None and parent._kind_id not in _OUTSIDE:  # noqa: SLF001
        if parent._kind_id in _CLASS_TEMPLATES:  # noqa: SLF001
            return True
        parent = parent.semantic_parent
    return False


def _is_of_overloads(call: Cursor) -> bool:
    """Whether the name that a call starts with decides: it is looked at for itself."""
    first = next(iter(children(call)), None)
    if first is None or first._kind_id != _NAME:  # noqa: SLF001
        return False
    named = referenced(first)
    return named is not None and bool(named._kind_id == _OVERLOADS)  # noqa: SLF001
