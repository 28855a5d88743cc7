"""Cursors asked quickly: places, references, names in full, constants, children by kind."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Collection, Iterator
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


def visit_kinds(
    cursor: Cursor,
    see: Callable[[Cursor, Cursor], int],
    kinds: Collection[int],
    block: int = -1,
) -> None:
    """Do as :func:`visit`, but show only cursors of some kinds, and what is directly in a block.

    Half as slow where few are wanted: a cursor is made fit for use only when it is shown.
    """
    unit = cursor._tu  # noqa: SLF001 - as above
    raised: list[BaseException] = []

    def call(child: Cursor, parent: Cursor, _: object) -> int:
        if child._kind_id not in kinds and parent._kind_id != block:  # noqa: SLF001
            return RECURSE
        child._tu = parent._tu = unit  # noqa: SLF001
        try:
            return see(child, parent)
        except BaseException as error:  # noqa: BLE001 - as above
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
_LIB.clang_Cursor_getVarDeclInitializer.argtypes = [cindex.Cursor]
_LIB.clang_Cursor_getVarDeclInitializer.restype = cindex.Cursor
_LIB.clang_getCursorUnaryOperatorKind.argtypes = [cindex.Cursor]
_LIB.clang_getCursorUnaryOperatorKind.restype = ctypes.c_int


def spelled_text(cursor: Cursor, length: int) -> str:
    """The text from where a cursor is spelled on, "" for what a macro pastes together."""
    file, _, _, offset = spelling_place(cursor)
    return text_at(cursor._tu, file, offset, length) if file else ""  # noqa: SLF001


def in_system_header(cursor: Cursor) -> bool:
    """Whether a cursor stands in a header of ``-isystem``."""
    return bool(_LIB.clang_Location_isInSystemHeader(_LIB.clang_getCursorLocation(cursor)))


def is_own(declaration: Cursor, root: str) -> bool:
    """Whether a declaration stands in the scanned tree, and in no header of ``-isystem``."""
    file = file_place(declaration)[0]
    if file is None or in_system_header(declaration):
        return False
    folder = f"{root.rstrip(os.sep)}{os.sep}"
    return os.path.normpath(str(file.name)).startswith(folder)


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


def identity(cursor: Cursor) -> int:
    """A number that tells declarations, or expressions, of one unit apart."""
    is_code = _FIRST_CODE <= cursor._kind_id <= _LAST_CODE  # noqa: SLF001
    return int(cursor.data[1 if is_code else 0] or 0)


_FIRST_CODE, _LAST_CODE = 100, 349
"""Numbers of the kinds of expressions and statements."""


def arguments(call: Cursor) -> list[Cursor]:
    """The arguments of a call, those that are left to their defaults included."""
    count = _LIB.clang_Cursor_getNumArguments(call)
    found = [_LIB.clang_Cursor_getArgument(call, number) for number in range(count)]
    for one in found:
        one._tu = call._tu  # noqa: SLF001
    return found


def initializer(variable: Cursor) -> Cursor | None:
    """What a variable is initialised with, None for nothing."""
    found = _LIB.clang_Cursor_getVarDeclInitializer(variable)
    if found._kind_id in _NOTHING:  # noqa: SLF001
        return None
    found._tu = variable._tu  # noqa: SLF001
    return found


def template_of(declaration: Cursor) -> Cursor | None:
    """The template, or the member of one, that a declaration is an instantiation of, else None."""
    found = _LIB.clang_getSpecializedCursorTemplate(declaration)
    if found is None or found._kind_id in _NOTHING:  # noqa: SLF001
        return None
    found._tu = declaration._tu  # noqa: SLF001
    return found


def binary_operator(expression: Cursor) -> int:
    """Which operator it is: a value of ``clang.cindex.BinaryOperator``."""
    return int(_LIB.clang_getCursorBinaryOperatorKind(expression))


def operands(expression: Cursor) -> tuple[Cursor | None, Cursor | None]:
    """The two sides of a binary operator; None for both in code that is not understood."""
    found = children(expression)
    return (found[0], found[1]) if len(found) == _SIDES else (None, None)


_SIDES = 2


def unary_operator(expression: Cursor) -> int:
    """Which operator it is, with libclang's number."""
    return int(_LIB.clang_getCursorUnaryOperatorKind(expression))


def bare(expression: Cursor) -> Cursor:
    """An expression without the parentheses and implicit conversions around it."""
    while expression._kind_id in _WRAPPERS:  # noqa: SLF001
        inner = children(expression)
        if len(inner) != 1:
            break
        expression = inner[0]
    return expression


_WRAPPERS = frozenset({Kind.UNEXPOSED_EXPR.value, Kind.PAREN_EXPR.value})
_INTEGERS = frozenset(range(4, 21))
"""Numbers of type kinds: char to signed __int128, without bool (3)."""


def type_kind(cursor: Cursor) -> int:
    """The number of the kind of a cursor's type; quicker than asking for the type."""
    return int(_LIB.clang_getCursorType(cursor)._kind_id)  # noqa: SLF001


def integer_bits(kind: Any) -> int:  # noqa: ANN401
    """The size of an integer or enumeration type, 0 for every other one, bool included."""
    kind = kind.get_canonical()
    if kind._kind_id not in _INTEGERS and kind._kind_id != _ENUMERATION:  # noqa: SLF001
        return 0
    return max(int(kind.get_size()) * 8, 0)


_ENUMERATION = cindex.TypeKind.ENUM.value


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
