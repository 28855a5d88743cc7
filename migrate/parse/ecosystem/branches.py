"""States of lines by the C preprocessor's conditionals, for languages without a reader of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from migrate.model.verdict import State

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b(.*)")
_HIP = re.compile(r"(?<![A-Za-z])(?:HIP|ROCM|ROC[A-Z]+|HIP[A-Z]+|AMDGPU|AMD_GPU)(?![a-z])")
_NEGATED = re.compile(r"!\s*(?:defined\s*)?\(?\s*\w")
_OPENED = frozenset(("if", "ifdef", "ifndef"))


@dataclass(slots=True)
class _Conditional:
    """An open conditional: its branches so far, each with its first line and whether HIP's."""

    branches: list[tuple[int, bool]] = field(default_factory=list)
    negative: bool = False
    """Whether one of its conditions asks for *not* HIP, so that the ``#else`` is HIP's."""

    def enter(self, word: str, condition: str, line: int) -> None:
        """Take in one more branch."""
        if word == "else":
            self.branches.append((line, self.negative))
            return
        hip = _HIP.search(condition) is not None
        negated = hip and (word == "ifndef" or _NEGATED.search(condition) is not None)
        self.negative = self.negative or negated
        self.branches.append((line, hip and not negated))


def states_by_line(lines: Sequence[str]) -> dict[int, State]:
    """The lines (from 1) in a branch of HIP, or beside one (``ported``); others are not named.

    Within a branch that has a state, a conditional's branch may have its own.
    """
    directives = list(_directives(lines))
    branches = _branch_states(directives)
    if not branches:
        return {}
    found: dict[int, State] = {}
    around: list[State | None] = []
    state: State | None = None
    ends = [line for line, _, _ in directives[1:]] + [len(lines) + 1]
    for (line, word, _), following in zip(directives, ends, strict=True):
        if word in _OPENED:
            around.append(state)
        if not around:
            continue
        state = around.pop() if word == "endif" else branches.get(line, around[-1])
        if state is not None:
            found.update(dict.fromkeys(range(line + 1, following), state))
    return found


def _directives(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(lines, start=1):
        found = _DIRECTIVE.match(line)
        if found is not None:
            yield number, found[1], found[2]


def _branch_states(directives: Sequence[tuple[int, str, str]]) -> dict[int, State]:
    """The states of branches, by their first line, in conditionals that have one for HIP."""
    stack: list[_Conditional] = []
    states: dict[int, State] = {}
    for line, word, condition in directives:
        if word in _OPENED:
            stack.append(_Conditional())
        if not stack:
            continue
        if word != "endif":
            stack[-1].enter(word, condition, line)
            continue
        branches = stack.pop().branches
        if any(hip for _, hip in branches):
            states.update((first, State.HIP if hip else State.PORTED) for first, hip in branches)
    return states
