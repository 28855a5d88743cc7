"""Whether a constant is a number that somebody wrote, or made to follow the GPU's warp size."""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import BinaryOperator

from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    binary_operator,
    children,
    descendants,
    identity,
    initializer,
    integer_value,
    referenced,
)

_NAME, _VARIABLE, _BINARY = (
    kind.value for kind in (Kind.DECL_REF_EXPR, Kind.VAR_DECL, Kind.BINARY_OPERATOR)
)
_VALUES = frozenset({_VARIABLE, Kind.ENUM_CONSTANT_DECL.value})
_COMPUTED = frozenset(
    kind.value
    for kind in (
        Kind.CALL_EXPR,
        Kind.CONDITIONAL_OPERATOR,
        Kind.CXX_UNARY_EXPR,
        Kind.MEMBER_REF_EXPR,
    )
)
_PLAIN = frozenset({BinaryOperator.Sub.value, BinaryOperator.Shl.value})


def portable_value(expression: Cursor) -> int | None:
    """The value of a constant, None where there is none or it comes from ``warpSize``.

    Clang's CUDA headers give ``warpSize`` the value 32; in CUDA it is no constant.
    """
    value = integer_value(expression)
    if value is None or any(_is_warp_size(one) for one in _parts(expression)):
        return None
    return value


def is_plain(expression: Cursor) -> bool:
    """Whether a constant is a number, a name for one, or one less than such.

    What is computed from other sizes (``TILE / 4``), chosen or asked of a function is the size of
    something else, or made to differ between GPUs, as ``warpSize`` does.
    """
    for one in _parts(expression):
        kind = one._kind_id  # noqa: SLF001
        if kind in _COMPUTED or (kind == _BINARY and binary_operator(one) not in _PLAIN):
            return False
        if _is_warp_size(one):
            return False
    return True


def _is_warp_size(part: Cursor) -> bool:
    return bool(part._kind_id == _NAME and part.spelling == "warpSize")  # noqa: SLF001


def _parts(expression: Cursor) -> Iterator[Cursor]:
    """An expression's cursors, and those of the values of the constants it names."""
    known: set[int] = set()
    waiting = [expression]
    while waiting:
        outer = waiting.pop()
        for one in (outer, *descendants(outer)):
            yield one
            named = referenced(one) if one._kind_id == _NAME else None  # noqa: SLF001
            if named is None or named._kind_id not in _VALUES or identity(named) in known:  # noqa: SLF001
                continue
            known.add(identity(named))
            value = initializer(named) if named._kind_id == _VARIABLE else None  # noqa: SLF001
            waiting += children(named) if value is None else [value]
