"""Function definitions, classes and device lambdas found by their brackets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from migrate.model.verdict import Side
from migrate.parse.brackets import Brackets
from migrate.parse.directives import Directive, Directives
from migrate.parse.heads import (
    HeadName,
    class_head,
    describe_head,
    function_head,
    is_member_initialiser,
)
from migrate.parse.own_words import NO_WORDS, OwnWords
from migrate.parse.scopes import ClassSpan, Scope

_BRACE = re.compile(rb"[{};]")
_CODE = re.compile(rb"\S")
_OPENING = frozenset({"if", "ifdef", "ifndef"})
_WORDS = (*_OPENING, "elif", "elifdef", "elifndef", "else", "endif")
_FRESH_START = re.compile(rb"^[^\S\n]*+template\s*+<|\b__global__\b", re.MULTILINE)
_LAMBDA = re.compile(rb"\]\s*+((?:[A-Za-z_]\w*+\s*+){1,4}+)(?=\()")
_LAMBDA_BODY = re.compile(rb"\s*+(?:mutable\b\s*+|noexcept\b\s*+)*+(?:->[^;{}()]{0,200}+)?\{")


class _Open(NamedTuple):
    """A brace that is open: what it opened, and the braces around it."""

    start: int
    body: int
    head: HeadName | None
    class_name: str
    around: _Open | None


class _State(NamedTuple):
    """Where the walk is: the open braces, the functions among them, where the next head starts.

    ``cut`` is a stretch that does not belong to that head: the other arms of an ``#if``.
    """

    open: _Open | None
    inside: int
    last: int
    cut: tuple[int, int]


@dataclass(slots=True)
class _Conditional:
    """An ``#if`` that is open: the state before it and at the end of each arm so far."""

    start: int
    before: _State
    arm: int
    ends: list[tuple[bool, _State]] = field(default_factory=list)
    has_else: bool = False


@dataclass(frozen=True, slots=True)
class BraceScopes:
    """What the braces of a file show: its outermost functions, and its classes."""

    functions: list[Scope]
    classes: list[ClassSpan]


def find_scopes(
    masked: bytes,
    directives: Directives,
    known: Sequence[Scope],
    compiled: Callable[[int], bool] = lambda _: True,
    *,
    own: OwnWords = NO_WORDS,
) -> BraceScopes:
    """Find function definitions by matching braces; outermost functions only.

    Each arm of an ``#if`` starts with the braces that are open before it; behind the ``#endif`` it
    goes on with those of the first arm that is compiled. A ``template`` or ``__global__`` function
    cannot stand in another one: where one seems to, a brace was not closed, and it ends the other.

    Args:
        masked: the file's code.
        directives: its preprocessor lines.
        known: functions that need not be found again, in order of place.
        compiled: whether a CUDA build compiles the code at an offset.
        own: the project's words for qualifiers.
    """
    code = _without_directives(masked, directives)
    walk = _Walk(code, directives, {scope.body: scope.end for scope in known}, compiled, own=own)
    behind = 0
    for line in directives.of(*_WORDS):
        walk.braces(behind, line.start)
        walk.directive(line)
        behind = line.end
    walk.braces(behind, len(code))
    return walk.finish()


class _Walk:
    def __init__(
        self,
        code: bytes,
        directives: Directives,
        known_ends: dict[int, int],
        compiled: Callable[[int], bool],
        *,
        own: OwnWords,
    ) -> None:
        self._code = code
        self._directives = directives
        self._known_ends = known_ends
        self._compiled = compiled
        self._own = own
        self._state = _State(None, 0, 0, (0, 0))
        self._passed = 0
        self._conditionals: list[_Conditional] = []
        self._functions: dict[int, Scope] = {}
        self._classes: dict[int, ClassSpan] = {}

    def braces(self, start: int, end: int) -> None:
        """Take in the braces of a stretch without conditionals."""
        for match in _BRACE.finditer(self._code, start, end):
            at = match.start()
            if at < self._passed:
                continue
            character = match[0]
            if character == b"{":
                self._opened(at)
            elif character == b"}":
                self._closed(match.end())
            else:
                self._state = _State(*self._state[:2], match.end(), (0, 0))

    def _opened(self, at: int) -> None:
        opened, inside, start, cut = self._state
        if inside and (fresh := _FRESH_START.search(self._code, start, at)) is not None:
            opened, inside = self._close_function(start), 0
            start = fresh.start() if fresh[0].endswith(b"<") else start
        if not inside and at in self._known_ends and self._keeps_arms(at, self._known_ends[at]):
            self._passed = self._known_ends[at]
            self._state = _State(opened, inside, self._passed, (0, 0))
            return
        if inside:
            self._state = _State(_Open(start, at, None, "", opened), inside, at + 1, (0, 0))
            return
        head, name, body = None, "", at
        if is_member_initialiser(self._code, start, at):
            body = -1
        else:
            text = self._text(start, at, cut)
            head = function_head(text)
            name = class_head(text) if head is None else ""
        opened = _Open(start, body, head, name, opened)
        self._state = _State(opened, int(head is not None), at + 1, (0, 0))

    def _keeps_arms(self, start: int, end: int) -> bool:
        """Whether a stretch leaves no arm of an ``#if`` that begins before it."""
        depth = 0
        first = bisect_right(self._directives.starts, start)
        for line in islice(self._directives.lines, first, None):
            if line.start >= end:
                break
            if line.word in _OPENING:
                depth += 1
            elif line.word in _WORDS:
                depth -= line.word == "endif"
                if depth < (line.word != "endif"):
                    return False
        return True

    def _text(self, start: int, end: int, cut: tuple[int, int]) -> bytes:
        if start <= cut[0] < cut[1] <= end:
            return self._code[start : cut[0]] + b" " + self._code[cut[1] : end]
        return self._code[start:end]

    def _close_function(self, end: int) -> _Open | None:
        """Close all braces up to that of the function that is open; those that stay open."""
        opened = self._state.open
        while opened is not None and opened.head is None:
            opened = opened.around
        if opened is None:
            return None
        self._add(opened, end)
        return opened.around

    def _closed(self, behind: int) -> None:
        opened, inside, _, cut = self._state
        if opened is None:
            self._state = _State(None, 0, behind, (0, 0))
            return
        if opened.body < 0:
            # Behind the b{2} of S() : a(1), b{2} {} the head goes on.
            self._state = _State(opened.around, inside, opened.start, cut)
            return
        inside -= opened.head is not None
        self._add(opened, behind)
        self._state = _State(opened.around, inside, behind, (0, 0))

    def _add(self, opened: _Open, end: int) -> None:
        """Put down what a brace opened; of two arms that close it the later one counts."""
        if opened.head is not None:
            start = _first_code(self._code, opened.start)
            known = self._functions.get(opened.body)
            if known is None or known.end < end:
                side, kernel, attributes = describe_head(opened.head.qualifiers, self._own)
                self._functions[opened.body] = Scope(
                    start, opened.body, end, opened.head.name, side, kernel, attributes
                )
        elif opened.class_name:
            self._classes[opened.body] = ClassSpan(opened.body, end, opened.class_name)

    def directive(self, line: Directive) -> None:
        """Begin an ``#if``, go on to its next arm, or leave it."""
        if line.word in _OPENING:
            self._conditionals.append(_Conditional(line.start, self._state, line.end))
            return
        if not self._conditionals:
            return
        conditional = self._conditionals[-1]
        conditional.ends.append((self._compiled(conditional.arm), self._state))
        if line.word == "endif":
            self._conditionals.pop()
            self._leave(conditional, line.start)
            return
        conditional.has_else |= line.word == "else"
        before = conditional.before
        moved = self._state.last != before.last or before.cut != (0, 0)
        self._drop_arm(conditional.arm, line.start, keep=len(conditional.ends) == 1)
        self._state = before._replace(cut=(conditional.start, line.end) if moved else before.cut)
        conditional.arm = line.end

    def _drop_arm(self, arm: int, end: int, *, keep: bool) -> None:
        """Functions that only an arm opens, and that do not go on behind it, end with the arm."""
        if keep:
            return
        opened = self._state.open
        while opened is not None and opened.body >= arm:
            if opened.head is not None:
                self._add(opened, end)
            opened = opened.around

    def _leave(self, conditional: _Conditional, end: int) -> None:
        arms = conditional.ends
        if not conditional.has_else:
            arms = [*arms, (True, conditional.before)]
        number = next((n for n, (compiled, _) in enumerate(arms) if compiled), 0)
        if number != len(conditional.ends) - 1:
            self._drop_arm(conditional.arm, end, keep=False)
        last = max(state.last for _, state in arms)
        chosen = arms[number][1]
        self._state = chosen._replace(
            last=last, cut=chosen.cut if last == chosen.last == conditional.before.last else (0, 0)
        )

    def finish(self) -> BraceScopes:
        """What was found; a function that is open at the end reaches to the last brace."""
        self._close_function(self._state.last)
        return BraceScopes(list(self._functions.values()), list(self._classes.values()))


def _without_directives(masked: bytes, directives: Directives) -> bytes:
    parts: list[bytes] = []
    behind = 0
    for line in directives.lines:
        parts += (masked[behind : line.start], b" " * (line.end - line.start))
        behind = line.end
    return b"".join([*parts, masked[behind:]])


def _first_code(code: bytes, start: int) -> int:
    match = _CODE.search(code, start)
    return match.start() if match else start


def find_device_lambdas(
    masked: bytes, brackets: Brackets, own: OwnWords = NO_WORDS
) -> Iterator[Scope]:
    """Find ``[=] __device__ (int i) {...}``: device code in the midst of a host function."""
    for match in _LAMBDA.finditer(masked):
        side, _, _ = describe_head(match[1], own)
        if side is Side.HOST:
            continue
        parameters = brackets.arguments(match.end())
        body = _LAMBDA_BODY.match(masked, parameters[1]) if parameters else None
        closed = brackets.arguments(body.end() - 1) if body else None
        if body and closed:
            yield Scope(match.start(), body.end() - 1, closed[1], "", side, is_lambda=True)
