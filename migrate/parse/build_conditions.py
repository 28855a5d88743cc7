"""Under which conditions of the preprocessor each line of a file is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.model.facts import BuildCondition
from migrate.parse.conditionals import Branch, Chain, read_chains
from migrate.parse.directives import Directives
from migrate.parse.lines import LineIndex

_MOST = 2000
"""So many stretches of a file are told: more are no code of people's."""
_LONGEST = 160
_GUARD = re.compile(rb"\s*#\s*define\s+(\w+)")
_DECIDED = frozenset({"", "0", "1"})


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Code from one offset to another, and what has to hold for it to be compiled."""

    start: int
    end: int
    condition: str
    chains: list[Chain]


def read_build_conditions(
    masked: bytes, directives: Directives, index: LineIndex
) -> tuple[BuildCondition, ...]:
    """The stretches of lines that not every build compiles, in order, without overlap.

    Include guards are no condition; nor is what ``#if 0`` leaves out.
    """
    chains = read_chains(masked, directives)
    found: list[BuildCondition] = []
    todo = [_Stretch(0, len(masked), "", chains)]
    while todo and len(found) < _MOST:
        stretch = todo.pop()
        if not stretch.chains:
            if stretch.condition and masked[stretch.start : stretch.end].strip():
                first, last = index.line(stretch.start), index.line(max(stretch.end - 1, 0))
                found.append(BuildCondition(first, last, stretch.condition))
            continue
        todo.extend(reversed(list(_parts(masked, stretch))))
    return tuple(found)


def _parts(masked: bytes, stretch: _Stretch) -> Iterator[_Stretch]:
    """A stretch as its plain code and the branches in it, in order."""
    at = stretch.start
    for chain in stretch.chains:
        start = chain.branches[0].start
        if at < start:
            yield _Stretch(at, start, stretch.condition, [])
        ends = [branch.start for branch in chain.branches[1:]]
        for number, end in enumerate([*ends, chain.end]):
            branch = chain.branches[number]
            own = "" if _is_guard(masked, chain) else _own(chain.branches, number)
            yield _Stretch(branch.body, end, _both(stretch.condition, own), branch.chains)
        at = chain.end
    if at < stretch.end:
        yield _Stretch(at, stretch.end, stretch.condition, [])


def _is_guard(masked: bytes, chain: Chain) -> bool:
    branch = chain.branches[0]
    if len(chain.branches) > 1 or not branch.condition.startswith("!defined("):
        return False
    defined = _GUARD.match(masked, branch.body)
    return defined is not None and branch.condition == f"!defined({defined[1].decode()})"


def _own(branches: list[Branch], number: int) -> str:
    """What a branch's own directive says; of an ``#else`` that the others do not hold."""
    condition = branches[number].condition
    if number and condition == "1":
        others = [_negated(branch.condition) for branch in branches[:number]]
        return " && ".join(other for other in others if other)
    return "" if condition in _DECIDED else condition


def _negated(condition: str) -> str:
    if condition in _DECIDED:
        return ""
    if re.fullmatch(r"!defined\(\w+\)", condition):
        return condition[1:]
    return f"!{condition}" if re.fullmatch(r"defined\(\w+\)|\w+", condition) else f"!({condition})"


def _both(outer: str, inner: str) -> str:
    """Two conditions as one; what gets too long to read ends with dots."""
    if not outer or not inner:
        return outer or _short(inner)
    return outer if outer.endswith("…") else _short(f"{outer} && {inner}")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
