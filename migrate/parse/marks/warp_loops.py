"""Reductions and scans of a warp: loops over lanes, steps in shared memory, code in lockstep."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText, word_start
from migrate.parse.marks.integer_types import constant_text, declaration

_FOR = re.compile(rb"for\s*(\()")
_LONGEST_HEAD = 300
_STEPS = (b">>", b"<<", b"/", b"*=", b"* 2", b"*2")
"""What halves or doubles a loop's variable."""
_STARTS = re.compile(rb"\s*(?:[A-Za-z_][\w:]*\s+)*?([A-Za-z_]\w*)\s*=\s*([\s\S]{1,60})")
_BELOW = re.compile(rb"\s*([A-Za-z_]\w*)\s*(<=?)\s*([\s\S]{1,60})")
_HALVES = re.compile(rb"\s*([A-Za-z_]\w*)\s*(?:>>=\s*1|/=\s*2|=\s*\1\s*(?:/\s*2|>>\s*1))\s*")
_DOUBLES = re.compile(rb"\s*([A-Za-z_]\w*)\s*(?:<<=\s*1|\*=\s*2|=\s*\1\s*(?:\*\s*2|<<\s*1))\s*")
_SHUFFLES = (b"shfl", b"SHFL", b"Shfl", b"shuffle", b"SHUFFLE", b"Shuffle")
_SHUFFLE = re.compile(rb"(?:shfl|SHFL|Shfl|shuffle|SHUFFLE|Shuffle)\w*\s*(\()")
_BARRIER = re.compile(rb"\b(?:__syncthreads|(?:block|cta)\s*\.\s*sync)\s*\(")
_STEP = re.compile(rb"[+-]\s*(64|32|16|8|4|2|1)\s*\]")
_SIXTEEN = re.compile(rb"16\s*\]")
_STEPPED = re.compile(rb"\b([A-Za-z_]\w*)\s*\[\s*([A-Za-z_]\w*|threadIdx\s*\.\s*x)\s*$")
_SYNCWARP = re.compile(rb"\b__syncwarp\s*\(")
_WARP_NAME = re.compile(rb"(?!__)\w*(?i:warp_?size|threads?_?per_?warp|warp_?threads)\w*")
_HALF_STEP = re.compile(
    rb"\s*(?:(\w+)\s*(?:\*\s*2\s*)?\+\s*lane\w*|lane\w*\s*\+\s*(\w+)(?:\s*\*\s*2)?)\s*"
)
_FIXED = re.compile(rb"[A-Z][A-Z0-9_]{2,}|k[A-Z]\w+")
_HALF_VALUE = re.compile(rb"\s*(?:=|\{|\()\s*(16|8)\b")
_BOUND = re.compile(r"\(?([A-Za-z_]\w*)\)?(\s*(?:/\s*2|>>\s*1)?)")
_NEAR = 100
_BODY = 600
_MOST_NAMES = 12


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _loops(text)
    yield from _shared_steps(text)
    yield from _in_lockstep(text)
    yield from _half_steps(text)


def _loops(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in text.matches(_FOR, b"for"):
        head = masked[match.start(1) : match.start(1) + _LONGEST_HEAD]
        if not any(sign in head for sign in _STEPS):
            continue
        header = _header(text, match.start(1))
        if header is None:
            continue
        parts, end = header
        loop = _loop(*parts)
        if loop is None:
            continue
        variable, direction, bound = loop
        bound = _known_bound(text, bound, match.start())
        if not bound:
            continue
        body = _body(text, end)
        found = _what_it_does(text, body, variable)
        if found is not None:
            symbol = f"{variable.decode('ascii')} = {bound}"
            if direction == "up":
                symbol = f"{variable.decode('ascii')} < {bound}"
            yield FoundMark(
                MarkKind.WARP_LOOP, match.start(), body[1], symbol, (bound, direction, *found)
            )


def _header(text: MarkText, opening: int) -> tuple[list[bytes], int] | None:
    """The three parts of a loop's head, and where it ends."""
    masked, depth = text.masked, 0
    for at in range(opening, min(len(masked), opening + _LONGEST_HEAD)):
        character = masked[at]
        depth += (character == ord("(")) - (character == ord(")"))
        if depth == 0:
            parts = masked[opening + 1 : at].split(b";")
            return (parts, at + 1) if len(parts) == 3 else None  # noqa: PLR2004 - a for's parts
    return None


def _loop(first: bytes, condition: bytes, step: bytes) -> tuple[bytes, str, str] | None:
    """The variable, ``down`` from a bound or ``up`` to one, and the bound as written."""
    start = _STARTS.fullmatch(first)
    if start is None:
        return None
    halves, doubles = _HALVES.fullmatch(step), _DOUBLES.fullmatch(step)
    if halves is not None and halves[1] == start[1]:
        return start[1], "down", tidy(start[2])
    below = _BELOW.fullmatch(condition)
    if doubles is None or below is None or not start[1] == below[1] == doubles[1]:
        return None
    return start[1], "up to" if below[2] == b"<=" else "up", tidy(below[3])


def _known_bound(text: MarkText, bound: str, at: int) -> str:
    """A loop's bound with what the function says of the name in it; "" for what is computed."""
    named = _BOUND.fullmatch(bound)
    if named is None:
        return bound
    told = constant_text(text, named[1].encode(), at).decode("ascii")
    return f"{told}{named[2]}" if told else ""


def _body(text: MarkText, start: int) -> tuple[int, int]:
    """Where a loop's body starts and ends, no longer than a few lines."""
    masked, end = text.masked, start
    while masked[end : end + 1].isspace():
        end += 1
    if masked[end : end + 1] != b"{":
        stop = masked.find(b";", end, end + _BODY)
        return end, stop + 1 if stop >= 0 else end
    depth = 0
    for at in range(end, min(len(masked), end + _BODY)):
        depth += (masked[at] == ord("{")) - (masked[at] == ord("}"))
        if depth == 0:
            return end, at + 1
    return end, min(len(masked), end + _BODY)


def _what_it_does(text: MarkText, body: tuple[int, int], variable: bytes) -> tuple[str, str] | None:
    """The shuffle in a loop and its width, or ``shared`` for steps in memory without a barrier."""
    shuffle = _SHUFFLE.search(text.masked, *body)
    if shuffle is not None:
        return _name(text, shuffle), _width(text, shuffle, variable)
    inner = text.masked[body[0] : body[1]]
    steps = re.search(rb"\[\s*\w+\s*\+\s*" + variable + rb"\s*\]", inner)
    return ("shared", "") if steps and _BARRIER.search(inner) is None else None


def _width(text: MarkText, shuffle: re.Match[bytes], variable: bytes) -> str:
    """The width that a shuffle is given: the argument behind mask, value and lane.

    A function of the project's may take no mask: there it is what follows the loop's variable.
    """
    split = text.file.code.brackets.arguments(shuffle.start(1))
    if split is None:
        return ""
    written = [text.masked[start:end] for start, end in split[0]]
    name = _name(text, shuffle)
    if name.startswith("__"):
        before = 3 if name.endswith("_sync") else 2
    else:
        lanes = [number for number, one in enumerate(written) if one.strip() == variable]
        before = lanes[0] + 1 if lanes else len(written)
    return tidy(written[before]) if before < len(written) else ""


class _Step(NamedTuple):
    """``array[by + lanes]`` by offsets."""

    start: int
    end: int
    array: bytes
    by: bytes
    lanes: bytes


def _shared_steps(text: MarkText) -> Iterator[FoundMark]:
    """``a[i] += a[i + 16]``, or ``- 16``: several steps on one array in one function."""
    groups: dict[tuple[int, bytes], list[_Step]] = {}
    if _SIXTEEN.search(text.masked) is None:
        return
    for match in _STEP.finditer(text.masked):
        scope = text.function_at(match.start())
        begin = max(0, match.start() - _NEAR)
        stepped = _STEPPED.search(text.masked, begin, match.start()) if scope else None
        if scope is None or stepped is None:
            continue
        step = _Step(stepped.start(), match.end(), stepped[1], stepped[2], match[1])
        if _beside_itself(text, step):
            groups.setdefault((scope.start, step.array), []).append(step)
    for steps in groups.values():
        if not {b"16", b"8", b"4"} <= {step.lanes for step in steps}:
            continue
        for number, step in enumerate(steps):
            before = steps[number - 1].end if number else max(0, step.start - _BODY)
            values = (step.array.decode(), step.lanes.decode(), _order(text, step, before))
            symbol = tidy(text.masked[step.start : step.end])
            yield FoundMark(MarkKind.SHARED_STEP, step.start, step.end, symbol, values)


def _beside_itself(text: MarkText, step: _Step) -> bool:
    """Whether the statement, or the condition before it, has ``a[i]`` beside ``a[i + 16]``."""
    around = text.masked[max(0, step.start - _NEAR) : step.end + _NEAR]
    plain = rb"\b" + step.array + rb"\s*\[\s*" + re.escape(step.by) + rb"\s*\]"
    return re.search(plain, around) is not None


def _order(text: MarkText, step: _Step, before: int) -> str:
    """What orders a step's accesses behind those of the step before."""
    if _BARRIER.search(text.masked, before, step.start):
        return "barrier"
    scope = text.function_at(step.start)
    start = scope.start if scope else before
    declared = re.compile(rb"\bvolatile\b[^;(){},]{0,80}\b" + step.array + rb"\b")
    if declared.search(text.masked, start, step.start):
        return "volatile"
    return "syncwarp" if _SYNCWARP.search(text.masked, start, scope.end if scope else start) else ""


def _in_lockstep(text: MarkText) -> Iterator[FoundMark]:
    """``__syncwarp``, with the names of warp sizes in its function."""
    calls = list(text.calls((b"__syncwarp",)))
    sizes = text.places(filter(_WARP_NAME.fullmatch, text.words)) if calls else []
    names: dict[int, tuple[str, ...]] = {}
    for start, _, _ in calls:
        scope = text.function_at(start)
        if scope is None:
            continue
        if scope.start not in names:
            first, last = (bisect_left(sizes, (place,)) for place in (scope.body, scope.end))
            found = sorted({name.decode("ascii") for _, name in sizes[first:last]})
            names[scope.start] = tuple(found[:_MOST_NAMES])
        yield FoundMark(MarkKind.SYNCWARP, start, start + 10, "__syncwarp", names[scope.start])


def _half_steps(text: MarkText) -> Iterator[FoundMark]:
    """``shfl(x, 16 + lane)``: a lane adds what the one half a warp of 32 on has."""
    for first, name, opening in text.calls(text.with_part(*_SHUFFLES)):
        split = text.file.code.brackets.arguments(opening)
        for start, end in split[0][:3] if split else ():
            step = _HALF_STEP.fullmatch(text.masked, start, end)
            number = (step[1] or step[2]) if step else b""
            if number in {b"16", b"8"} or (
                number and (_FIXED.fullmatch(number) or _is_half(text, number, start))
            ):
                told = name.decode("ascii")
                symbol = f"{told}(..., {tidy(text.masked[start:end])})"
                yield FoundMark(MarkKind.LANE_STEP, first, first + len(name), symbol, (told,))


def _name(text: MarkText, shuffle: re.Match[bytes]) -> str:
    """The name of a called shuffle."""
    start = word_start(text.masked, shuffle.start())
    return text.masked[start : shuffle.start(1)].rstrip().decode("ascii")


def _is_half(text: MarkText, name: bytes, at: int) -> bool:
    place = declaration(text, name, at)
    return place is not None and _HALF_VALUE.match(text.masked, place[0] + len(name)) is not None


FINDER = Finder(
    _find,
    signs=(b"shfl", b"SHFL", b"huffle", b"HUFFLE", b"__shared__", b"volatile", b"__syncwarp"),
)
