"""Integer constant expressions as text: what libclang shows of an attribute is its place only."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import add, and_, eq, ge, gt, le, lshift, lt, mul, ne, or_, rshift, sub, xor

Lookup = Callable[[str], int | None]
"""The value of a name, ``kThreads`` or ``Traits::kThreads``; None where it is not known."""

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>(?:0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*(?![\w.]))
    | (?P<name>(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
    | (?P<sign><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:()])
    )""",
    re.VERBOSE,
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PRECEDENCE = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="),
    ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_MOST_BITS = 64
_DEEPEST = 50


class _UnknownError(Exception):
    """The text is no integer expression, or has a value that is not known."""


def integer_of(text: str, lookup: Lookup) -> int | None:
    """The value of an integer expression; None where it, or a name in it, cannot be told."""
    try:
        return _Parser(text, lookup).value()
    except (_UnknownError, ZeroDivisionError):
        return None


def arguments_of(text: str) -> list[str] | None:
    """The arguments of ``(a, b(c, d))`` at the start of a text; None where it does not close."""
    text = _COMMENT.sub(" ", text).lstrip()
    if not text.startswith("("):
        return None
    found, depth, start = [], 0, 1
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 1) or not depth:
            found.append(text[start:at].strip())
            start = at + 1
        if not depth:
            return found
    return None


class _Parser:
    def __init__(self, text: str, lookup: Lookup) -> None:
        self._tokens = list(_tokens(_COMMENT.sub(" ", text)))
        self._lookup = lookup
        self._at = 0
        self._depth = 0

    def value(self) -> int:
        found = self._choice()
        if self._at < len(self._tokens):
            raise _UnknownError
        return found

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise _UnknownError

    def _choice(self) -> int:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnknownError
        condition = self._binary(0)
        if self._next() == "?":
            self._take()
            yes = self._choice()
            self._expect(":")
            no = self._choice()
            condition = yes if condition else no
        self._depth -= 1
        return condition

    def _binary(self, level: int) -> int:
        if level == len(_PRECEDENCE):
            return self._unary()
        left = self._binary(level + 1)
        while self._next() in _PRECEDENCE[level]:
            left = _apply(self._take(), left, self._binary(level + 1))
        return left

    def _unary(self) -> int:
        signs = []
        while self._next() in {"-", "+", "~", "!"}:
            signs.append(self._take())
        found = self._primary()
        for sign in reversed(signs):
            found = {"-": -found, "+": found, "~": ~found, "!": int(not found)}[sign]
        return found

    def _primary(self) -> int:
        token = self._take()
        if token == "(":
            found = self._choice()
            self._expect(")")
            return found
        if token[:1].isdigit():
            return _number(token)
        known = self._lookup(token.removeprefix("::")) if token and _is_name(token) else None
        if known is None or self._next() == "(":
            raise _UnknownError
        return known


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _UnknownError
        found.append(match[match.lastgroup or 0])
        at = match.end()
    return found


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] in "_:"


def _number(token: str) -> int:
    digits = token.replace("'", "").rstrip("uUlLzZ").lower()
    if digits.startswith(("0x", "0b")):
        return int(digits, 0)
    return int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits)


def _apply(sign: str, left: int, right: int) -> int:
    if sign in {"/", "%"}:
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if sign == "/" else left - quotient * right
    if sign in {"<<", ">>"} and not 0 <= right < _MOST_BITS:
        raise _UnknownError
    return int(_OPERATIONS[sign](left, right))


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)),
    "&&": lambda a, b: int(bool(a and b)),
    "|": or_, "^": xor, "&": and_, "==": eq, "!=": ne, "<": lt, ">": gt, "<=": le, ">=": ge,
    "<<": lshift, ">>": rshift, "+": add, "-": sub, "*": mul,
}  # fmt: skip
