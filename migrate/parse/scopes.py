"""Functions of a file, the classes around them, and which function a place is in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from migrate.model.verdict import Side

_STATEMENTS = frozenset(
    {"if", "for", "while", "switch", "catch", "do", "else", "return", "defined"}
)
_DEEPEST = 8
"""So many classes around a function are named, the innermost."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A function definition by offsets: from the start of its head to behind its closing brace.

    ``is_lambda``: a lambda, which has the name of the function it stands in. ``sound`` is false
    where a syntax tree has errors inside.
    """

    start: int
    body: int
    end: int
    name: str
    side: Side
    kernel: bool = False
    attributes: tuple[str, ...] = ()
    is_lambda: bool = False
    sound: bool = True


class ClassSpan(NamedTuple):
    """A class by offsets, with its name as written, the arguments of a specialisation included."""

    start: int
    end: int
    name: str


def qualified(scopes: Iterable[Scope], classes: Sequence[ClassSpan]) -> list[Scope]:
    """Put the names of the classes around each function before its name, as ``Class::method``."""
    if not classes:
        return list(scopes)
    ordered = sorted(classes)
    named: list[Scope] = []
    around: list[ClassSpan] = []
    number = 0
    for scope in sorted(scopes, key=lambda scope: scope.start):
        while number < len(ordered) and ordered[number].start <= scope.start:
            _leave(around, ordered[number].start)
            around.append(ordered[number])
            number += 1
        _leave(around, scope.start)
        prefix = "::".join(span.name for span in around[-_DEEPEST:] if span.name)
        if prefix and scope.name and not scope.is_lambda:
            named.append(replace(scope, name=f"{prefix}::{scope.name}"))
        else:
            named.append(scope)
    return named


def _leave(around: list[ClassSpan], offset: int) -> None:
    while around and around[-1].end <= offset:
        around.pop()


class ScopeIndex:
    """Which function an offset is in, the innermost of those that hold it.

    A syntax tree with errors takes ``MACRO if (x) {`` for a function named ``if``: it is none.
    """

    def __init__(self, scopes: Iterable[Scope]) -> None:
        self.scopes = sorted(
            (scope for scope in scopes if scope.name not in _STATEMENTS),
            key=lambda scope: (scope.start, -scope.end),
        )
        self._starts: list[int] = [0]
        self._inner: list[int] = [-1]
        self._parents: list[int] = []
        stack: list[int] = []
        for number, scope in enumerate(self.scopes):
            self._close(stack, scope.start)
            self._parents.append(stack[-1] if stack else -1)
            stack.append(number)
            self._mark(scope.start, number)
        self._close(stack, None)

    def _close(self, stack: list[int], until: int | None) -> None:
        while stack and (until is None or self.scopes[stack[-1]].end <= until):
            end = self.scopes[stack.pop()].end
            while stack and self.scopes[stack[-1]].end <= end:
                stack.pop()
            self._mark(end, stack[-1] if stack else -1)

    def _mark(self, offset: int, number: int) -> None:
        if offset >= self._starts[-1]:
            self._starts.append(offset)
            self._inner.append(number)

    def at(self, offset: int) -> int:
        """The number of the innermost function around an offset, -1 at file scope."""
        return self._inner[bisect_right(self._starts, offset) - 1]

    def in_body(self, offset: int) -> bool:
        """Whether an offset is inside of a function's braces."""
        number = self.at(offset)
        return number >= 0 and offset > self.scopes[number].body

    def name(self, number: int) -> str:
        """A function's name, a lambda's being that of the function around it; "" for -1."""
        while number >= 0 and self.scopes[number].is_lambda:
            number = self._parents[number]
        return self.scopes[number].name if number >= 0 else ""

    def side(self, number: int) -> Side:
        """Where a function runs; unknown at file scope."""
        return self.scopes[number].side if number >= 0 else Side.UNKNOWN

    def holds(self, number: int, offset: int) -> bool:
        """Whether an offset is in a function; file scope (-1) holds everything."""
        return number < 0 or self.scopes[number].start <= offset < self.scopes[number].end
