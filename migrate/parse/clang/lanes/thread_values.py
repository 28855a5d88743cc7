"""What becomes of a thread's number in arithmetic: values sorted by what they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce

from clang.cindex import BinaryOperator

from migrate.parse.clang.cursors import Cursor, integer_value

_WARP_MASK = 31
"""A thread's number taken modulo less than this tells no lane of a warp."""
_SUMS, _PRODUCTS, _QUOTIENTS, _MASKS, _BITS = (
    frozenset(operator.value for operator in operators)
    for operators in (
        (BinaryOperator.Add, BinaryOperator.Sub),
        (BinaryOperator.Mul, BinaryOperator.Shl),
        (BinaryOperator.Div, BinaryOperator.Shr),
        (BinaryOperator.Rem, BinaryOperator.And),
        (BinaryOperator.Or, BinaryOperator.Xor),
    )
)


class Sort(IntEnum):
    """What a value is."""

    CONSTANT = 0
    SIZE = 1
    """How many threads there are: ``blockDim.x``."""
    LAUNCH = 2
    """Made of what a launch gives, and no thread's number (any more)."""
    THREAD = 3
    """A thread's number."""
    OTHER = 4


@dataclass(frozen=True, slots=True)
class Origin:
    """What a value is and where it comes from: ``threadIdx.x``, ``laneid``, ``thread_rank``.

    ``grid`` says whether the number of a block is in it: what counts the threads of all blocks.
    """

    sort: Sort
    name: str = ""
    grid: bool = False

    def launch(self, other: Origin) -> Origin:
        """Something made of both that is no thread's number."""
        return Origin(Sort.LAUNCH, grid=self.grid or other.grid)

    def higher(self, other: Origin) -> Origin:
        """The value of the higher sort, of the grid where one of them is."""
        first = max(self, other, key=lambda each: each.sort)
        return Origin(first.sort, first.name, self.grid or other.grid)


CONSTANT, OTHER = Origin(Sort.CONSTANT), Origin(Sort.OTHER)


def computed(operator: int, left: tuple[Origin, Cursor], right: tuple[Origin, Cursor]) -> Origin:
    """What a binary operator makes of two values; each with its expression."""
    one, other = left[0], right[0]
    if operator in _SUMS:
        return one.higher(other)
    if operator in _PRODUCTS:
        return product(one, other)
    if operator in _MASKS:
        return _masked(left, right)
    if operator in _BITS:
        known = Sort.CONSTANT in {one.sort, other.sort}
        return _either(one, other) if known else one.launch(other)
    return one.launch(other) if operator in _QUOTIENTS else OTHER


def any_of(origins: Iterable[Origin]) -> Origin:
    """What a value is that may be any of these."""
    found = list(origins)
    return reduce(_either, found) if found else OTHER


def _either(one: Origin, other: Origin) -> Origin:
    sorts = {one.sort, other.sort}
    if len(sorts) == 1 or Sort.CONSTANT in sorts:
        return one.higher(other)
    return one.launch(other) if sorts == {Sort.SIZE, Sort.LAUNCH} else OTHER


def product(one: Origin, other: Origin) -> Origin:
    """What two values multiplied are."""
    sorts = {one.sort, other.sort}
    if Sort.OTHER in sorts:
        return OTHER
    return one if sorts in ({Sort.SIZE}, {Sort.CONSTANT}) else one.launch(other)


def _masked(left: tuple[Origin, Cursor], right: tuple[Origin, Cursor]) -> Origin:
    """A thread's number modulo a constant; ``&`` has it on either side."""
    for (value, _), (mask, written) in ((left, right), (right, left)):
        if value.sort == Sort.THREAD and mask.sort == Sort.CONSTANT:
            constant = integer_value(written)
            wide = constant is not None and not 0 <= constant < _WARP_MASK
            return value if wide else value.launch(mask)
    return left[0].launch(right[0])
