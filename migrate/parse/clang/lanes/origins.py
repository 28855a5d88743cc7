"""Whether a value is a thread's number: followed through a function's variables and calls.

What is asked for is the number of a thread among others, not every value that depends on it: the
index of an element, a row or a tile is made from it too, and is data. So a value stays a thread's
number through sums with constants and with what a launch gives (``blockIdx.x * blockDim.x +
threadIdx.x``), masks and remainders; a product, a quotient, a loop's step or a value from
elsewhere ends it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from clang.cindex import BinaryOperator

from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    arguments,
    bare,
    binary_operator,
    children,
    identity,
    integer_value,
    is_own,
    operands,
    referenced,
    spelled_text,
)
from migrate.parse.clang.lanes.assignments import Assignments, Given, variable_of
from migrate.parse.clang.lanes.thread_values import (
    CONSTANT,
    OTHER,
    Origin,
    Sort,
    any_of,
    computed,
    product,
)


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where an expression stands, how far from what was asked for, and how deep in it."""

    function: Cursor
    steps: int = 0
    depth: int = 0


_LAUNCH = Origin(Sort.LAUNCH)
_BLOCK = Origin(Sort.LAUNCH, grid=True)
_COORDINATES = {
    "threadIdx": Origin(Sort.THREAD, "threadIdx"),
    "blockDim": Origin(Sort.SIZE, "blockDim"),
    "gridDim": _LAUNCH,
    "blockIdx": _BLOCK,
}
_METHODS = {
    "thread_rank": Origin(Sort.THREAD, "thread_rank"),
    "thread_index": Origin(Sort.THREAD, "threadIdx"),
    "group_index": _BLOCK,
    "block_rank": _BLOCK,
    "group_dim": Origin(Sort.SIZE, "blockDim"),
    "dim_threads": Origin(Sort.SIZE, "blockDim"),
}
_REGISTERS = {
    "laneid": Origin(Sort.THREAD, "laneid"),
    **{f"tid.{one}": Origin(Sort.THREAD, f"threadIdx.{one}") for one in "xyz"},
}
_GRID = "grid_group"
_MULTIPLIES = frozenset({"__mul24", "__umul24"})
_MEMBER_TEXT = re.compile(r"\w+\s*\.\s*([xyz])\b")
_DEPTH = 60
"""An expression deeper than this is no index."""
_PASSED = frozenset(
    kind.value
    for kind in (
        Kind.CSTYLE_CAST_EXPR,
        Kind.CXX_STATIC_CAST_EXPR,
        Kind.CXX_FUNCTIONAL_CAST_EXPR,
        Kind.UNEXPOSED_EXPR,
        Kind.PAREN_EXPR,
        Kind.INIT_LIST_EXPR,
    )
)
_NAME, _MEMBER, _CALL, _BINARY, _CONDITIONAL = (
    kind.value
    for kind in (
        Kind.DECL_REF_EXPR,
        Kind.MEMBER_REF_EXPR,
        Kind.CALL_EXPR,
        Kind.BINARY_OPERATOR,
        Kind.CONDITIONAL_OPERATOR,
    )
)
_VARIABLE, _PARAMETER, _CONSTRUCTOR, _CONVERSION = (
    kind.value
    for kind in (Kind.VAR_DECL, Kind.PARM_DECL, Kind.CONSTRUCTOR, Kind.CONVERSION_FUNCTION)
)
_KNOWN_LATER = frozenset({Kind.TEMPLATE_NON_TYPE_PARAMETER.value, Kind.ENUM_CONSTANT_DECL.value})
_EXPRESSIONS = range(100, 200)
_LAST = frozenset({BinaryOperator.Assign.value, BinaryOperator.Comma.value})
Passed = Callable[[Cursor, int], list[tuple[Cursor, Cursor]]]
"""For a function and the number of a parameter: what is passed, and the function around it."""


class Origins:
    """Tells the origins of the values of one unit; ``root`` is the folder of the scanned tree."""

    def __init__(self, root: str, passed: Passed) -> None:
        self._root = root
        self._passed = passed
        self._assignments: dict[int, Assignments] = {}
        self._variables: dict[tuple[object, ...], Origin] = {}

    def of(self, expression: Cursor, function: Cursor) -> Origin:
        """What the value of an expression in a function is."""
        return self._of(expression, _Scope(function))

    def _of(self, expression: Cursor, outer: _Scope) -> Origin:
        if outer.depth > _DEPTH:
            return OTHER
        scope = _Scope(outer.function, outer.steps, outer.depth + 1)
        kind = expression._kind_id  # noqa: SLF001
        if kind in _PASSED:
            inner = [one for one in children(expression) if one._kind_id in _EXPRESSIONS]  # noqa: SLF001
            if len(inner) == 1:
                return self._of(inner[0], scope)
        look = {
            _NAME: self._of_name,
            _MEMBER: self._of_member,
            _CALL: self._of_call,
            _BINARY: self._of_binary,
            _CONDITIONAL: self._of_conditional,
        }.get(kind)
        found = look(expression, scope) if look else OTHER
        if found.sort == Sort.OTHER and integer_value(expression) is not None:
            return CONSTANT
        return found

    def _of_name(self, name: Cursor, scope: _Scope) -> Origin:
        declaration = referenced(name)
        if declaration is None or declaration._kind_id in _KNOWN_LATER:  # noqa: SLF001
            return CONSTANT
        kind = declaration._kind_id  # noqa: SLF001
        if kind not in {_VARIABLE, _PARAMETER}:
            return OTHER
        coordinate = _COORDINATES.get(declaration.spelling)
        if coordinate and not is_own(declaration, self._root):
            return coordinate
        return self._of_variable((identity(declaration),), declaration, scope)

    def _of_member(self, member: Cursor, scope: _Scope) -> Origin:
        inner = children(member)
        if inner:
            whole = self._of(inner[0], scope)
            if whole.sort == Sort.LAUNCH:
                return whole
            if whole.sort in {Sort.SIZE, Sort.THREAD} and "." not in whole.name:
                return Origin(whole.sort, _with_member(whole.name, member), whole.grid)
        variable = variable_of(member)
        return self._of_variable(variable, None, scope) if variable else OTHER

    def _of_variable(
        self, variable: tuple[int, ...], declaration: Cursor | None, scope: _Scope
    ) -> Origin:
        key = (*variable, identity(scope.function), scope.steps)
        if key not in self._variables:
            self._variables[key] = CONSTANT  # stands for itself in what it is given
            given = self._assigned(scope.function).given(variable)
            found = [self._of_given(one, scope) for one in given]
            if declaration is not None and declaration._kind_id == _PARAMETER:  # noqa: SLF001
                found.append(self._of_parameter(declaration, scope))
            self._variables[key] = any_of(found)
        return self._variables[key]

    def _of_given(self, given: Given, scope: _Scope) -> Origin:
        if given is None:
            return OTHER
        if isinstance(given, str):
            return _REGISTERS[given]
        return self._of(given, scope)

    def _of_parameter(self, parameter: Cursor, scope: _Scope) -> Origin:
        """What every call in the unit passes; one step is gone from a value to a caller's."""
        if scope.steps:
            return OTHER
        number = identity(parameter)
        own = [one for one in children(scope.function) if one._kind_id == _PARAMETER]  # noqa: SLF001
        place = next((at for at, one in enumerate(own) if identity(one) == number), None)
        if place is None:
            return OTHER
        passed = self._passed(scope.function, place)
        return any_of([self._of(value, _Scope(around, 1)) for value, around in passed])

    def _of_call(self, call: Cursor, scope: _Scope) -> Origin:
        function = referenced(call)
        if function is None:
            return OTHER
        kind, given = function._kind_id, arguments(call)  # noqa: SLF001
        if kind == _CONVERSION:
            return self._of_holder(call, scope)
        if kind == _CONSTRUCTOR and len(given) == 1:
            return self._of(given[0], scope)
        if is_own(function, self._root):
            return self._of_returned(function, scope)
        name = function.spelling
        if name in _MULTIPLIES and len(given) > 1:
            return product(self._of(given[0], scope), self._of(given[1], scope))
        found = _METHODS.get(name, OTHER)
        of_grid = found.sort == Sort.THREAD and function.semantic_parent.spelling == _GRID
        return Origin(found.sort, found.name, of_grid or found.grid)

    def _of_holder(self, call: Cursor, scope: _Scope) -> Origin:
        """What a conversion function is called for."""
        inner = children(call)
        held = children(bare(inner[0])) if inner else []
        return self._of(held[0], scope) if held else OTHER

    def _of_returned(self, function: Cursor, scope: _Scope) -> Origin:
        definition = function.get_definition()
        if scope.steps or definition is None:
            return OTHER
        returned = self._assigned(definition).returned
        return any_of([self._of(value, _Scope(definition, 1)) for value in returned])

    def _of_conditional(self, choice: Cursor, scope: _Scope) -> Origin:
        return any_of([self._of(one, scope) for one in children(choice)[1:]])

    def _of_binary(self, operation: Cursor, scope: _Scope) -> Origin:
        operator, (left, right) = binary_operator(operation), operands(operation)
        if left is None or right is None:
            return OTHER
        if operator in _LAST:
            return self._of(right, scope)
        one, other = self._of(left, scope), self._of(right, scope)
        if Sort.OTHER in {one.sort, other.sort}:
            return OTHER
        if one.sort == other.sort == Sort.CONSTANT:
            return CONSTANT
        return computed(operator, (one, left), (other, right))

    def _assigned(self, function: Cursor) -> Assignments:
        number = identity(function)
        if number not in self._assignments:
            self._assignments[number] = Assignments(function)
        return self._assignments[number]


def _with_member(name: str, member: Cursor) -> str:
    """``threadIdx`` with the coordinate that is asked of it; a property's name is in the text."""
    if name == "thread_rank":
        return name
    written = member.spelling
    if not written:
        found = _MEMBER_TEXT.match(spelled_text(member, 80))
        written = found[1] if found else ""
    return f"{name}.{written}" if written in {"x", "y", "z"} else name
