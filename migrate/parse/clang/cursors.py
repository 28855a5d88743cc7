"""Cursors asked quickly: places, references, names in full, constants, children by kind."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from typing import Any

from clang import cindex

Cursor = Any
"""A ``clang.cindex.Cursor``; what libclang gives has no types."""
Kind = cindex.CursorKind
_LIB = cindex.conf.lib
_VISIT = cindex.cursor_visit_callback
BREAK, CONTINUE, RECURSE = 0, 1, 2
_INTEGER = 1  # CXEval_Int


def visit(cursor: Cursor, see: Callable[[Cursor, Cursor], int]) -> None:
    """Call ``see(child, parent)`` for the cursors below one, in order.

    It returns :data:`BREAK`, :data:`CONTINUE` or :data:`RECURSE`. What it raises ends the visit and
    is raised here. A child's ``kind`` is slow to get, its number ``_kind_id`` is not.
    """
    unit = cursor._tu  # noqa: SLF001 - cindex hands it on in the same way
    raised: list[BaseException] = []

    def call(child: Cursor, parent: Cursor, _: object) -> int:
        child._tu = parent._tu = unit  # noqa: SLF001
        try:
            return see(child, parent)
        except BaseException as error:  # noqa: BLE001 - C code stands between: handed on below
            raised.append(error)
            return BREAK

    _LIB.clang_visitChildren(cursor, _VISIT(call), None)
    if raised:
        raise raised[0]


def children(cursor: Cursor) -> list[Cursor]:
    """The direct children of a cursor."""
    found: list[Cursor] = []

    def see(child: Cursor, _: Cursor) -> int:
        found.append(child)
        return CONTINUE

    visit(cursor, see)
    return found


def descendants(cursor: Cursor) -> Iterator[Cursor]:
    """Every cursor below one, outer ones first."""
    found: list[Cursor] = []

    def see(child: Cursor, _: Cursor) -> int:
        found.append(child)
        return RECURSE

    visit(cursor, see)
    return iter(found)


def referenced(cursor: Cursor) -> Cursor | None:
    """The declaration that a cursor refers to, None where there is none."""
    found = _LIB.clang_getCursorReferenced(cursor)
    if found._kind_id in _NOTHING:  # noqa: SLF001
        return None
    found._tu = cursor._tu  # noqa: SLF001
    return found


_NOTHING = frozenset(range(70, 74))
"""The numbers of invalid cursors: no declaration found, not implemented, invalid code."""


def file_place(cursor: Cursor) -> tuple[Any, int, int, int]:
    """The file, line, column and byte offset at which a cursor stands in the text.

    A macro's argument is where it is written, what comes of a macro's body is where the macro is
    used. The file is None where there is none.
    """
    return _place(_LIB.clang_getFileLocation, cursor)


def spelling_place(cursor: Cursor) -> tuple[Any, int, int, int]:
    """As :func:`file_place`, but what comes of a macro's body is where the body has it.

    The file is None for what a macro pastes together.
    """
    return _place(_LIB.clang_getSpellingLocation, cursor)


def _place(function: Any, cursor: Cursor) -> tuple[Any, int, int, int]:  # noqa: ANN401
    file, line = cindex.c_object_p(), ctypes.c_uint()
    column, offset = ctypes.c_uint(), ctypes.c_uint()
    location = _LIB.clang_getCursorLocation(cursor)
    function(
        location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset)
    )
    return (cindex.File(file) if file else None), line.value, column.value, offset.value


def text_at(unit: Any, file: Any, offset: int, length: int) -> str:  # noqa: ANN401
    """The text of a file that a unit read, from a byte offset on; what is no UTF-8 is replaced."""
    size = ctypes.c_size_t()
    text = _LIB.clang_getFileContents(unit, file, ctypes.byref(size))
    if not text or offset >= size.value:
        return ""
    raw = ctypes.string_at(text + offset, min(length, size.value - offset))
    return raw.decode("utf-8", "replace")


_LIB.clang_getFileContents.argtypes = [
    cindex.TranslationUnit,
    cindex.File,
    ctypes.POINTER(ctypes.c_size_t),
]
_LIB.clang_getFileContents.restype = ctypes.c_void_p


def in_system_header(cursor: Cursor) -> bool:
    """Whether a cursor stands in a header of ``-isystem``."""
    return bool(_LIB.clang_Location_isInSystemHeader(_LIB.clang_getCursorLocation(cursor)))


def integer_value(expression: Cursor) -> int | None:
    """The value of an integral constant expression or variable, None where it has none."""
    result = _LIB.clang_Cursor_Evaluate(expression)
    if not result:
        return None
    try:
        if _LIB.clang_EvalResult_getKind(result) != _INTEGER:
            return None
        if _LIB.clang_EvalResult_isUnsignedInt(result):
            return int(_LIB.clang_EvalResult_getAsUnsigned(result))
        return int(_LIB.clang_EvalResult_getAsLongLong(result))
    finally:
        _LIB.clang_EvalResult_dispose(result)


def qualified_name(declaration: Cursor, *, namespaces: bool = True) -> str:
    """A declaration's name with its namespaces and classes, or with the classes alone.

    Inline and nameless namespaces, functions and plain enumerations are left out: nobody writes
    them.
    """
    parts = [declaration.spelling]
    parent = declaration.semantic_parent
    while parent is not None and parent._kind_id != _UNIT:  # noqa: SLF001
        if _is_written(parent, namespaces=namespaces):
            parts.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(parts))


def _is_written(parent: Cursor, *, namespaces: bool) -> bool:
    kind, name = parent._kind_id, parent.spelling  # noqa: SLF001
    if kind == _NAMESPACE and not (namespaces and not _LIB.clang_Cursor_isInlineNamespace(parent)):
        return False
    if kind in _FUNCTIONS or (kind == _ENUM and not parent.is_scoped_enum()):
        return False
    return bool(name) and "(" not in name and not _NUMBERED.fullmatch(name)


def overloads(cursor: Cursor) -> list[Cursor]:
    """The declarations of an overload set."""
    found = [
        _LIB.clang_getOverloadedDecl(cursor, number)
        for number in range(_LIB.clang_getNumOverloadedDecls(cursor))
    ]
    for one in found:
        one._tu = cursor._tu  # noqa: SLF001
    return found


def callee(call: Cursor) -> Cursor:
    """The cursor that names what a call calls; the call itself where there is no such."""
    inner = call
    while True:
        below = children(inner)
        if not below or below[0]._kind_id not in _AROUND_NAMES:  # noqa: SLF001
            return inner
        inner = below[0]
        if inner._kind_id in _NAMES:  # noqa: SLF001
            return inner


def call_arguments(call: Cursor) -> int:
    """The number of arguments as written: defaults that are filled in do not count."""
    count = _LIB.clang_Cursor_getNumArguments(call)
    arguments = [_LIB.clang_Cursor_getArgument(call, number) for number in range(count)]
    return sum(file_place(argument)[1] > 0 for argument in arguments)


def is_type_of_pointer_to_function(type_: Any) -> bool:  # noqa: ANN401
    """Whether a type is a pointer to a function."""
    canonical = type_.get_canonical()
    if canonical.kind != cindex.TypeKind.POINTER:
        return False
    return canonical.get_pointee().kind in {
        cindex.TypeKind.FUNCTIONPROTO,
        cindex.TypeKind.FUNCTIONNOPROTO,
    }


_NUMBERED = re.compile(r"__v\d+")
"""The namespace in which cooperative groups lie, brought out by ``using namespace``."""
_UNIT = Kind.TRANSLATION_UNIT.value
_NAMESPACE = Kind.NAMESPACE.value
_ENUM = Kind.ENUM_DECL.value
_NAMES = frozenset({Kind.DECL_REF_EXPR.value, Kind.MEMBER_REF_EXPR.value})
_AROUND_NAMES = _NAMES | {Kind.UNEXPOSED_EXPR.value, Kind.PAREN_EXPR.value}
FUNCTION_KINDS = (
    Kind.FUNCTION_DECL,
    Kind.FUNCTION_TEMPLATE,
    Kind.CXX_METHOD,
    Kind.CONSTRUCTOR,
    Kind.DESTRUCTOR,
    Kind.CONVERSION_FUNCTION,
)
_FUNCTIONS = frozenset(kind.value for kind in FUNCTION_KINDS)
