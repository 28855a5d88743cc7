"""The condition of an ``#if`` evaluated; what is not known leaves it open."""

from __future__ import annotations

import re
from typing import Protocol

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%<>!~&|^?:(),])|(?P<other>\S))"
)
DEVICE_PASS = "__HIP_DEVICE_COMPILE__"
NOT_KEPT = "?"
"""Stands for a condition that is too long to be kept: no reader of conditions knows it."""
_ARCH = re.compile(r"(\bdefined\s*\(?\s*)?\b__CUDA_ARCH__\b")
_LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_BINARY = {operator: level for level, group in enumerate(_LEVELS, 1) for operator in group.split()}
_WIDTH = 64


class Macros(Protocol):
    """What a build knows of macros; None for what is not known."""

    def defined(self, name: str) -> bool | None:
        """Whether a macro is defined."""

    def value(self, name: str) -> int | None:
        """What a name is worth in a condition: 0 where it is not defined."""

    def called(self, name: str) -> int | None:
        """What a macro with arguments is worth."""


def evaluate_condition(condition: str, macros: Macros) -> bool | None:
    """Whether a condition holds; None where it depends on what is not known or is no condition."""
    value = condition_value(condition, macros)
    return None if value is None else bool(value)


def condition_value(condition: str, macros: Macros) -> int | None:
    """What a condition is worth, as a number; None as in :func:`evaluate_condition`."""
    try:
        return _Parser(condition, macros).expression(0)
    except (_UnreadableError, RecursionError):
        return None


def asks_for_device(condition: str) -> str:
    """A condition that asks no more of ``__CUDA_ARCH__`` than whether it is defined, for HIP.

    There ``__HIP_DEVICE_COMPILE__`` is what device code is told by. A condition that compares the
    number stays as it is: HIP has none.
    """
    if all(match[1] for match in _ARCH.finditer(condition)):
        return _ARCH.sub(rf"\1{DEVICE_PASS}", condition)
    return condition


class _UnreadableError(Exception):
    """The condition is no expression this reader knows."""


class _Parser:
    """Precedence climbing over the tokens of one condition."""

    def __init__(self, text: str, macros: Macros) -> None:
        self._tokens = [
            (match.lastgroup or "", match[match.lastgroup or 0]) for match in _TOKEN.finditer(text)
        ]
        self._at = 0
        self._macros = macros

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise _UnreadableError
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _expect(self, text: str) -> None:
        if self._next()[1] != text:
            raise _UnreadableError

    def expression(self, lowest: int) -> int | None:
        """Read an expression of operators that bind tighter than ``lowest``."""
        left = self._unary()
        while (level := _BINARY.get(self._peek(), 0)) > lowest:
            operator = self._next()[1]
            left = _apply(operator, left, self.expression(level))
        if lowest == 0 and self._peek() == "?":
            left = self._ternary(left)
        return left

    def _ternary(self, condition: int | None) -> int | None:
        self._next()
        then = self.expression(0)
        self._expect(":")
        otherwise = self.expression(0)
        if condition is None:
            return then if then == otherwise else None
        return then if condition else otherwise

    def _unary(self) -> int | None:
        kind, text = self._next()
        if kind == "number":
            return _number(text)
        if kind == "name":
            return self._defined() if text == "defined" else self._macro(text)
        if text == "(":
            value = self.expression(0)
            self._expect(")")
            return value
        if text in {"!", "-", "+", "~"}:
            return _negate(text, self._unary())
        raise _UnreadableError

    def _defined(self) -> int | None:
        kind, text = self._next()
        if text == "(":
            kind, text = self._next()
            self._expect(")")
        if kind != "name":
            raise _UnreadableError
        return self._macros.defined(text)

    def _macro(self, name: str) -> int | None:
        if self._peek() == "(":
            self._skip_arguments()
            return self._macros.called(name)
        return self._macros.value(name)

    def _skip_arguments(self) -> None:
        depth = 0
        while True:
            text = self._next()[1]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return


def _number(text: str) -> int:
    digits = text.replace("'", "")
    octal = digits[:1] == "0" and digits.isdigit()
    try:
        return _wrap(int(digits, 8 if octal else 0))
    except ValueError:
        raise _UnreadableError from None


def _wrap(value: int) -> int:
    """Bring a value to intmax_t's 64 bits."""
    value &= (1 << _WIDTH) - 1
    return value - (1 << _WIDTH) if value >> (_WIDTH - 1) else value


def _negate(operator: str, value: int | None) -> int | None:
    if value is None:
        return None
    return _wrap({"!": int(not value), "-": -value, "+": value, "~": ~value}[operator])


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if operator in {"&&", "||"}:
        return _logic(operator, left, right)
    if left is None or right is None:
        return None
    if operator in {"/", "%"} and right == 0:
        raise _UnreadableError
    if operator in {"<<", ">>"} and not 0 <= right < _WIDTH:
        raise _UnreadableError
    return _wrap(int(_PLAIN[operator](left, right)))


def _logic(operator: str, left: int | None, right: int | None) -> int | None:
    """``&&`` and ``||`` with an open side: the other side may settle it."""
    values = {None if value is None else bool(value) for value in (left, right)}
    settling = operator == "||"
    if settling in values:
        return int(settling)
    return None if None in values else int(not settling)


_PLAIN = {
    "|": int.__or__,
    "^": int.__xor__,
    "&": int.__and__,
    "==": int.__eq__,
    "!=": int.__ne__,
    "<": int.__lt__,
    ">": int.__gt__,
    "<=": int.__le__,
    ">=": int.__ge__,
    "<<": int.__lshift__,
    ">>": int.__rshift__,
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": int.__floordiv__,
    "%": int.__mod__,
}
