"""Which type of integer receives the value of a call, looked up from around it."""

from __future__ import annotations

from typing import Any

from clang.cindex import BinaryOperator

from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    arguments,
    binary_operator,
    children,
    identity,
    initializer,
    integer_bits,
    referenced,
    template_of,
    unary_operator,
)

_CALL, _RETURN = Kind.CALL_EXPR.value, Kind.RETURN_STMT.value
_VARIABLE, _LAMBDA = Kind.VAR_DECL.value, Kind.LAMBDA_EXPR.value
_BINARY, _COMPOUND = Kind.BINARY_OPERATOR.value, Kind.COMPOUND_ASSIGNMENT_OPERATOR.value
_CONDITIONAL, _UNARY = Kind.CONDITIONAL_OPERATOR.value, Kind.UNARY_OPERATOR.value
_IMPLICIT = frozenset({Kind.UNEXPOSED_EXPR.value, Kind.PAREN_EXPR.value})
_CASTS = frozenset(
    kind.value
    for kind in (
        Kind.CSTYLE_CAST_EXPR,
        Kind.CXX_STATIC_CAST_EXPR,
        Kind.CXX_FUNCTIONAL_CAST_EXPR,
        Kind.CXX_REINTERPRET_CAST_EXPR,
    )
)
_ASSIGN = BinaryOperator.Assign.value
_KEEPS_BITS = frozenset(
    operator.value for operator in (BinaryOperator.And, BinaryOperator.Or, BinaryOperator.Xor)
)
_SHIFTS = frozenset(operator.value for operator in (BinaryOperator.Shl, BinaryOperator.Shr))
_ASSIGNS_BITS = frozenset(
    operator.value
    for operator in (
        BinaryOperator.AndAssign,
        BinaryOperator.OrAssign,
        BinaryOperator.XorAssign,
    )
)
_NOT = 9
"""The number of the operator ``~``."""
_BOOL, _AUTO = 3, 118
"""Numbers of type kinds."""
_Step = tuple[Cursor, int, int]
"""A cursor, the bits that receive its value, the bits of the result of the function around."""


class Receivers:
    """The sizes of what receives the values of calls; a function is read when first asked for."""

    def __init__(self) -> None:
        self._known: dict[int, dict[int, int]] = {}

    def bits(self, call: Cursor, function: Cursor) -> int:
        """The size of the integer that receives a call's value in a function, 0 for none.

        The smallest of the types on its way counts: what a cast cuts off no variable gets back.
        ``auto`` and parameters whose type follows the argument take whatever comes: 0.
        """
        number = identity(function)
        if number not in self._known:
            self._known[number] = _read(function)
        return self._known[number].get(identity(call), 0)


def _read(function: Cursor) -> dict[int, int]:
    found: dict[int, int] = {}
    waiting: list[_Step] = [(function, 0, _size(function.result_type))]
    while waiting:
        step = waiting.pop()
        if step[0]._kind_id == _CALL and step[1]:  # noqa: SLF001
            found[identity(step[0])] = step[1]
        waiting += _below(step)
    return found


def _below(step: _Step) -> list[_Step]:
    cursor, bits, returns = step
    kind = cursor._kind_id  # noqa: SLF001
    inner = children(cursor)
    if kind == _LAMBDA:
        returns = 0
    given = [0] * len(inner)
    if kind in _IMPLICIT:
        given = [0 if cursor.type._kind_id == _BOOL else bits] * len(inner)  # noqa: SLF001
    elif kind in _CASTS and inner:
        cast = integer_bits(cursor.type)
        given[-1] = min(bits, cast) if bits else cast
    elif kind in {_BINARY, _COMPOUND} and len(inner) == _OPERANDS:
        given = _operands(cursor, inner, bits)
    elif kind == _RETURN:
        given = [returns] * len(inner)
    elif kind == _CONDITIONAL:
        given = [0, bits, bits][: len(inner)]
    elif kind == _UNARY and unary_operator(cursor) == _NOT:
        given = [bits] * len(inner)
    elif kind == _VARIABLE:
        first = initializer(cursor)
        number = identity(first) if first is not None else 0
        size = _size(cursor.type)
        given = [size if identity(one) == number else 0 for one in inner]
    elif kind == _CALL:
        taken = _parameters(cursor)
        given = [taken.get(identity(one), 0) for one in inner]
    return [(one, size, returns) for one, size in zip(inner, given, strict=True)]


_OPERANDS = 2


def _size(receiver: Any) -> int:  # noqa: ANN401
    """The size that a type sets; ``auto`` sets none."""
    return 0 if receiver._kind_id == _AUTO else integer_bits(receiver)  # noqa: SLF001


def _operands(cursor: Cursor, inner: list[Cursor], bits: int) -> list[int]:
    operator = binary_operator(cursor)
    if operator == _ASSIGN or operator in _ASSIGNS_BITS:
        return [0, integer_bits(inner[0].type)]
    if operator in _KEEPS_BITS:
        return [bits, bits]
    return [bits, 0] if operator in _SHIFTS else [0, 0]


def _parameters(call: Cursor) -> dict[int, int]:
    """The sizes of the parameters of what is called, by argument."""
    function = referenced(call)
    if function is None or function.spelling.startswith("operator"):
        return {}
    written = template_of(function) or function
    types = list(written.type.argument_types()) if written.type.kind.name == "FUNCTIONPROTO" else []
    return {
        identity(one): integer_bits(kind) for one, kind in zip(arguments(call), types, strict=False)
    }
