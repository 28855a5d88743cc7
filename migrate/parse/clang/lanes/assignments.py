"""What the variables of one function are given, anywhere in it."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from clang.cindex import BinaryOperator

from migrate.parse.clang.cursors import (
    CONTINUE,
    RECURSE,
    Cursor,
    Kind,
    bare,
    binary_operator,
    children,
    descendants,
    identity,
    initializer,
    operands,
    referenced,
    spelled_text,
    unary_operator,
    visit,
)

Variable = tuple[int, ...]
"""A variable, or a member of one: the numbers of the declarations; ``this`` is 0."""
Given = Cursor | str | None
"""An expression, the special register that an asm statement reads, None for something else."""

_VARIABLE, _BINARY, _COMPOUND, _UNARY, _ASM, _RETURN, _LAMBDA = (
    kind.value
    for kind in (
        Kind.VAR_DECL,
        Kind.BINARY_OPERATOR,
        Kind.COMPOUND_ASSIGNMENT_OPERATOR,
        Kind.UNARY_OPERATOR,
        Kind.ASM_STMT,
        Kind.RETURN_STMT,
        Kind.LAMBDA_EXPR,
    )
)
_NAME, _MEMBER, _FIELD, _LIST, _THIS = (
    kind.value
    for kind in (
        Kind.DECL_REF_EXPR,
        Kind.MEMBER_REF_EXPR,
        Kind.FIELD_DECL,
        Kind.INIT_LIST_EXPR,
        Kind.CXX_THIS_EXPR,
    )
)
_KEEPS = frozenset(
    operator.value
    for operator in (
        BinaryOperator.AndAssign,
        BinaryOperator.RemAssign,
        BinaryOperator.DivAssign,
        BinaryOperator.ShrAssign,
    )
)
"""A thread's index is taken apart by these, and is no other value before it."""
_LEFT_OUT = frozenset({_RETURN, _LAMBDA})
_STEPS = frozenset(range(1, 6))
"""Numbers of ``++``, ``--`` and ``&``, after which the value may be any."""
_REGISTER = re.compile(r"%(laneid|tid\.[xyz])\b")
_OUTPUT = re.compile(r'"[=+]')
_ASM_LENGTH = 2000


class Assignments:
    """The values that a function gives to its variables, and those that it returns."""

    def __init__(self, function: Cursor) -> None:
        self._given: dict[Variable, list[Given]] = defaultdict(list)
        self._function = function
        looks = {
            _VARIABLE: self._see_variable,
            _BINARY: self._see_assignment,
            _COMPOUND: self._see_compound,
            _UNARY: self._see_unary,
            _ASM: self._see_asm,
        }
        for cursor in descendants(function):
            look = looks.get(cursor._kind_id)  # noqa: SLF001
            if look:
                look(cursor)

    def given(self, variable: Variable) -> list[Given]:
        """What a variable is given; nothing where that is not seen."""
        return self._given.get(variable, [])

    def _see_variable(self, variable: Cursor) -> None:
        value = initializer(variable)
        if value is None:
            return
        number = identity(variable)
        self._given[number,].append(value)
        if value._kind_id == _LIST:  # noqa: SLF001
            record = variable.type.get_canonical().get_declaration()
            fields = [one for one in children(record) if one._kind_id == _FIELD]  # noqa: SLF001
            for field, part in zip(fields, children(value), strict=False):
                self._given[number, identity(field)].append(part)

    def _see_assignment(self, operation: Cursor) -> None:
        if binary_operator(operation) == BinaryOperator.Assign.value:
            left, right = operands(operation)
            if left is not None:
                self._give(left, right)

    def _see_compound(self, operation: Cursor) -> None:
        if binary_operator(operation) not in _KEEPS:
            self._lose(operation)

    def _see_unary(self, operation: Cursor) -> None:
        if unary_operator(operation) in _STEPS:
            self._lose(operation)

    def _see_asm(self, statement: Cursor) -> None:
        text = _statement(spelled_text(statement, _ASM_LENGTH))
        register = _REGISTER.search(text)
        outputs = len(_OUTPUT.findall(text))
        for output in children(statement)[:outputs]:
            alone = register and outputs == 1
            self._give(output, register[1] if register and alone else None)

    def _lose(self, operation: Cursor) -> None:
        """The variable that an operation changes may have any value."""
        for changed in children(operation)[:1]:
            self._give(changed, None)

    def _give(self, to: Cursor, value: Given) -> None:
        variable = variable_of(to)
        if variable:
            self._given[variable].append(value)

    @cached_property
    def returned(self) -> list[Cursor]:
        """What the function returns; lambdas inside return their own values."""
        found: list[Cursor] = []

        def see(cursor: Cursor, _: Cursor) -> int:
            if cursor._kind_id == _RETURN:  # noqa: SLF001
                found.extend(children(cursor)[:1])
            return CONTINUE if cursor._kind_id in _LEFT_OUT else RECURSE  # noqa: SLF001

        visit(self._function, see)
        return found


def variable_of(expression: Cursor) -> Variable | None:
    """Which variable, or member of a variable or of ``this``, an expression names."""
    expression = bare(expression)
    kind = expression._kind_id  # noqa: SLF001
    if kind not in {_NAME, _MEMBER}:
        return None
    named = referenced(expression)
    if named is None:
        return None
    if kind == _NAME:
        return (identity(named),)
    inner = children(expression)
    base = bare(inner[0]) if inner else None
    if base is None or base._kind_id == _THIS:  # noqa: SLF001
        return (0, identity(named))
    if base._kind_id != _NAME:  # noqa: SLF001
        return None
    holder = referenced(base)
    return None if holder is None else (identity(holder), identity(named))


def _statement(text: str) -> str:
    """The text of an asm statement up to the parenthesis that ends it, strings left as they are."""
    depth, quoted = 0, False
    for number, letter in enumerate(text):
        if letter == '"' and text[number - 1 : number] != "\\":
            quoted = not quoted
        elif not quoted and letter in "()":
            depth += 1 if letter == "(" else -1
            if not depth:
                return text[:number]
    return text
