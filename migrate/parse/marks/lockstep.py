"""Values that lanes hand on through shared memory with nothing but lockstep between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.scopes import Scope

_AHEAD = re.compile(rb"\+\s*(64|32|16|8|4|2|1)\s*[,)]")
_CALLED = re.compile(
    rb"\b([A-Za-z_]\w*)\s*\((?:[^;{}()]{1,60},)?\s*([A-Za-z_]\w*)\s*,\s*([A-Za-z_]\w*)\s*$"
)
_NEAR = 120
_BARRIER = re.compile(rb"(?i:sync|barrier|fence|shfl|shuffle|ballot)")
"""What may order the accesses before and behind it, be it by a name of the project's."""
_ENTRY = re.compile(rb"\b[A-Za-z_]\w*\s*\[\s*([A-Za-z_]\w*)\s*\]")
_OF_LANE = (
    rb"(?:\w*lane\w*|(?:\w*tid\w*|threadIdx\s*\.\s*x)\s*(?:%\s*32|&\s*31)"
    rb"|\(\s*(?:\w*tid\w*|threadIdx\s*\.\s*x)\s*(?:%\s*32|&\s*31)\s*\))"
)
_ELECTED = re.compile(
    rb"\bif\s*\(\s*(?:" + _OF_LANE + rb"\s*==\s*(?:0|31)|!\s*\w*lane\w*)\s*\)\s*(\{?)\s*"
    rb"([A-Za-z_]\w*)\s*\[\s*([^\[\];{}]{1,40})\s*\]\s*=(?!=)[^;{}]{1,200};(\s*\})?"
)
_OF_WARP = re.compile(rb"(?i:\w*warp\w*|w|wid|wave\w*)|[\w.]+\s*(?:/\s*32|>>\s*5)")
_ELSE = re.compile(rb"\s*else\b")
_LANE = re.compile(rb"\bif\s*\([^;{}]{0,120}(?i:lane|%\s*32|&\s*31)")
_REACH = 800
_MOST = 100
"""So many writes by one lane are looked at in a file."""


class _Step(NamedTuple):
    """``helper(i, i + lanes)`` by offsets."""

    start: int
    end: int
    lanes: bytes


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _helper_steps(text)
    yield from _broadcasts(text)


def _helper_steps(text: MarkText) -> Iterator[FoundMark]:
    """``exchange(i, i + 16)``: several steps by one function on shared memory in a function."""
    groups: dict[tuple[int, bytes], list[_Step]] = {}
    for match in _AHEAD.finditer(text.masked):
        begin = max(0, match.start() - _NEAR)
        called = _CALLED.search(text.masked, begin, match.start())
        scope = text.function_at(match.start()) if called else None
        if called is not None and scope is not None and called[2] == called[3]:
            step = _Step(called.start(), match.end(), match[1])
            groups.setdefault((scope.start, called[1]), []).append(step)
    for (_, name), steps in groups.items():
        if {b"16", b"8", b"4"} <= {step.lanes for step in steps} and _exchanges(text, name):
            for number, step in enumerate(steps):
                before = steps[number - 1].end if number else step.start
                ordered = _BARRIER.search(text.masked, before, step.start)
                values = (name.decode(), step.lanes.decode(), "barrier" if ordered else "")
                symbol = tidy(text.masked[step.start : step.end])
                yield FoundMark(MarkKind.SHARED_STEP, step.start, step.end, symbol, values)


def _exchanges(text: MarkText, name: bytes) -> bool:
    """Whether a name is a device function of the file that reaches for entries, with no barrier."""
    wanted = name.decode("ascii")
    found = [one for one in text.scopes.scopes if one.name.rpartition("::")[2] == wanted]
    return len(found) == 1 and found[0].side is Side.DEVICE and _swaps(text, found[0])


def _swaps(text: MarkText, scope: Scope) -> bool:
    body = text.masked[scope.body : scope.end]
    indices = {match[1] for match in _ENTRY.finditer(body)}
    return len(indices) > 1 and _BARRIER.search(body) is None


def _broadcasts(text: MarkText) -> Iterator[FoundMark]:
    """``if (lane == 0) s[warp] = x;`` where all lanes read ``s[warp]`` at once."""
    kept = 0
    for match in _ELECTED.finditer(text.masked):
        opened, array, index, closed = match.groups()
        scope = text.function_at(match.start())
        if (
            scope is None
            or _OF_WARP.fullmatch(index.strip()) is None
            or bool(opened) != bool(closed)
        ):
            continue
        kept += 1
        if kept > _MOST:
            return
        read = _read(text, array, index, match.end(), min(scope.end, match.end() + _REACH))
        if read is not None and _is_shared(text, array):
            values = (array.decode("ascii"), _volatile(text, array))
            symbol = tidy(text.masked[read.start() : read.end()])
            yield FoundMark(MarkKind.LANE_BROADCAST, *read.span(), symbol, values)


def _read(
    text: MarkText, array: bytes, index: bytes, start: int, end: int
) -> re.Match[bytes] | None:
    """The read of an entry before anything that may order it; None behind another election."""
    entry = re.compile(
        rb"\b" + array + rb"\s*\[\s*" + re.escape(index.strip()) + rb"\s*\](?!\s*[-+*/|&^]?=(?!=))"
    )
    read = entry.search(text.masked, start, end)
    between = text.masked[start : read.start()] if read else b""
    told = _ELSE.match(between) or _BARRIER.search(between) or _LANE.search(between)
    return None if told else read


def _is_shared(text: MarkText, array: bytes) -> bool:
    declared = re.compile(rb"__shared__\s[^;{}()]{0,200}\b" + array + rb"\s*\[")
    return declared.search(text.masked) is not None


def _volatile(text: MarkText, array: bytes) -> str:
    declared = re.compile(rb"\bvolatile\b[^;{}()]{0,200}\b" + array + rb"\s*\[")
    return "volatile" if declared.search(text.masked) else ""


FINDER = Finder(_find, signs=(b"__shared__",))
