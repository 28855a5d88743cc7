"""Integers as source code writes them, and simple sums of them."""

from __future__ import annotations

import re

_LITERAL = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*")
_CAST = re.compile(
    r"\(\s*(?:(?:unsigned|signed|long|short|int|char|u?int(?:8|16|32|64)_t|size_t|std::\w+)\s*)+\)"
    r"|\bstatic_cast\s*<[^<>()]{1,40}>"
)
_WORTH_A_LOOK = re.compile(r"[\s\d()a-fA-FxXuUlLbBzZ'+*/<>~-]{1,200}")
_TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*|(<<|>>|[-+*/()~]))")
_DEEPEST = 20


def integer_of(text: str) -> int | None:
    """The value of an integer expression of literals, as ``96 * 1024`` or ``~0u``; None for others.

    ``~`` gives -1 for ``~0`` whatever the width, so that every all-ones mask compares alike.
    """
    text = _CAST.sub("", text).strip()
    if _WORTH_A_LOOK.fullmatch(text) is None:
        return None
    tokens: list[int | str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append(_value(match[1]) if match[1] else match[2])
        at = match.end()
    return _Sum(tokens).value() if tokens else None


def _value(digits: str) -> int:
    digits = digits.replace("'", "")
    if len(digits) > 1 and digits[0] == "0" and digits.isdigit():
        return int(digits, 8) if set(digits) <= set("01234567") else int(digits)
    return int(digits, 0)


class _Sum:
    """Reads tokens by C's precedence; any surprise makes the value None."""

    def __init__(self, tokens: list[int | str]) -> None:
        self._tokens = tokens
        self._at = 0

    def value(self) -> int | None:
        try:
            result = self._shift(0)
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        return result if self._at == len(self._tokens) else None

    def _next(self, *operators: str) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at] in operators:
            self._at += 1
            return str(self._tokens[self._at - 1])
        return ""

    def _shift(self, depth: int) -> int:
        left = self._add(depth)
        while operator := self._next("<<", ">>"):
            right = self._add(depth)
            if not 0 <= right <= 64:  # noqa: PLR2004 - no wider type
                raise ValueError
            left = left << right if operator == "<<" else left >> right
        return left

    def _add(self, depth: int) -> int:
        left = self._times(depth)
        while operator := self._next("+", "-"):
            right = self._times(depth)
            left = left + right if operator == "+" else left - right
        return left

    def _times(self, depth: int) -> int:
        left = self._unary(depth)
        while operator := self._next("*", "/"):
            right = self._unary(depth)
            left = left * right if operator == "*" else left // right
        return left

    def _unary(self, depth: int) -> int:
        if depth > _DEEPEST or self._at >= len(self._tokens):
            raise ValueError
        if operator := self._next("-", "+", "~"):
            operand = self._unary(depth + 1)
            return {"-": -operand, "+": operand, "~": ~operand}[operator]
        if self._next("("):
            inner = self._shift(depth + 1)
            if not self._next(")"):
                raise ValueError
            return inner
        token = self._tokens[self._at]
        if not isinstance(token, int):
            raise ValueError  # noqa: TRY004 - like every other surprise
        self._at += 1
        return token
