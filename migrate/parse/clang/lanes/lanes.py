"""Arithmetic on a thread's number with the constants of a warp: ``& 31``, ``>> 5``, ``/ 32``."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from clang.cindex import BinaryOperator

from migrate.model.semantic import LaneArithmetic
from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    arguments,
    binary_operator,
    file_place,
    identity,
    integer_value,
    is_own,
    operands,
    referenced,
    template_of,
)
from migrate.parse.clang.lanes.instances import Instances, Look
from migrate.parse.clang.lanes.origins import Origins
from migrate.parse.clang.lanes.thread_values import Sort
from migrate.parse.clang.lanes.warp_constants import is_plain
from migrate.parse.clang.unit import ParsedUnit
from migrate.parse.clang.walk import FunctionAt, TreeFiles

_WARP_SIZES, _MASKS, _SHIFTS = frozenset({32, 64}), frozenset({31, 63}), frozenset({5, 6})
_OPERATORS = {
    BinaryOperator.And.value: ("&", _MASKS),
    BinaryOperator.AndAssign.value: ("&=", _MASKS),
    BinaryOperator.Rem.value: ("%", _WARP_SIZES),
    BinaryOperator.RemAssign.value: ("%=", _WARP_SIZES),
    BinaryOperator.Div.value: ("/", _WARP_SIZES),
    BinaryOperator.DivAssign.value: ("/=", _WARP_SIZES),
    BinaryOperator.Shr.value: (">>", _SHIFTS),
    BinaryOperator.ShrAssign.value: (">>=", _SHIFTS),
}
_BINARY, _COMPOUND = Kind.BINARY_OPERATOR.value, Kind.COMPOUND_ASSIGNMENT_OPERATOR.value
_CALL = Kind.CALL_EXPR.value


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An operation with a warp's constant: its value side, and the constant as written."""

    operation: Cursor
    value: Cursor
    written: Cursor
    operator: str
    constant: int
    function: FunctionAt


class LaneObserver:
    """Gathers what takes a thread's number apart into warp and lane with a constant."""

    def __init__(self, unit: ParsedUnit, files: TreeFiles, instances: Instances) -> None:
        self._root = unit.root
        self._files = files
        self._instances = instances
        self._origins = Origins(unit.root, self._passed)
        self._candidates: list[_Candidate] = []
        self._calls: list[tuple[Cursor, FunctionAt]] = []
        self._calls_of: dict[int, list[tuple[Cursor, FunctionAt]]] | None = None
        instances.add(self.looks)

    @property
    def looks(self) -> dict[int, Look]:
        """What to call for a cursor, by the number of its kind."""
        return {_BINARY: self._see, _COMPOUND: self._see, _CALL: self._see_call}

    def finish(self) -> tuple[LaneArithmetic, ...]:
        """What was found, in order of place; one for each place and constant."""
        self._instances.walk()
        found: dict[tuple[str, int, int, str, int], LaneArithmetic] = {}
        for one in self._candidates:
            file, line, column, _ = file_place(one.operation)
            place = (self._files.path(file), line, column, one.operator, one.constant)
            if not place[0] or place in found:
                continue
            origin = self._origins.of(one.value, one.function.cursor)
            if origin.sort in {Sort.THREAD, Sort.SIZE} and is_plain(one.written):
                found[place] = LaneArithmetic(
                    path=place[0],
                    line=line,
                    column=column,
                    function=one.function.name,
                    operator=one.operator,
                    constant=one.constant,
                    origin=origin.name,
                    of_grid=origin.grid,
                )
        return tuple(found[place] for place in sorted(found))

    def _see(self, operation: Cursor, around: FunctionAt | None) -> None:
        operator = _OPERATORS.get(binary_operator(operation))
        if operator is None or around is None:
            return
        written, constants = operator
        left, right = operands(operation)
        if left is None or right is None:
            return
        constant = integer_value(right)
        if constant is None and written == "&":
            left, right = right, left
            constant = integer_value(right)
        if constant is not None and constant in constants:
            self._candidates.append(_Candidate(operation, left, right, written, constant, around))

    def _see_call(self, call: Cursor, around: FunctionAt | None) -> None:
        if around is not None:
            self._calls.append((call, around))

    def _passed(self, function: Cursor, parameter: int) -> list[tuple[Cursor, Cursor]]:
        """What the calls of the unit pass for a parameter, with the functions around them."""
        if self._calls_of is None:
            self._calls_of = self._sort_calls()
        found = []
        for call, around in self._calls_of.get(identity(function.canonical), ()):
            given = arguments(call)
            if parameter < len(given):
                found.append((given[parameter], around.cursor))
        return found

    def _sort_calls(self) -> dict[int, list[tuple[Cursor, FunctionAt]]]:
        """The calls of the project's own functions, by what is called and by its template."""
        found: dict[int, list[tuple[Cursor, FunctionAt]]] = defaultdict(list)
        for call, around in self._calls:
            function = referenced(call)
            if function is None or not is_own(function, self._root):
                continue
            if function.spelling.startswith("operator"):
                continue
            found[identity(function.canonical)].append((call, around))
            template = template_of(function)
            if template is not None:
                found[identity(template.canonical)].append((call, around))
        return found
