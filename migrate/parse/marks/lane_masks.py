"""Lane masks: what builtins are given and give back, and how many bits the code keeps of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.marks.integer_types import (
    NARROW,
    WIDE,
    declaration,
    declared_bits,
    expression_bits,
    returned_bits,
)

_MASKED = re.compile(
    rb"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|match_any|match_all"
    rb"|reduce_(?:add|min|max|and|or|xor))_sync|__syncwarp"
)
_GIVERS = (
    *(b"__ballot", b"__ballot_sync", b"__activemask", b"__match_any", b"__match_any_sync"),
    *(b"__match_all", b"__match_all_sync"),
)
_GIVES = re.compile(rb"\b(__ballot(?:_sync)?|__activemask|__match_(?:any|all)(?:_sync)?)\s*(\()")
_COUNTS = (b"__popc", b"__ffs", b"__clz", b"__brev", b"__fns")
_BY_LANE = re.compile(
    rb"<<\s*\(?\s*((?i:(?:my|warp|wave|thread|k)?_?lane_?(?:id|idx|index|num)?|lid)"
    rb"|threadIdx\s*\.\s*x)\b(?!\s*[(\[]|\s*->|\s*\.)"
)
_BIT = re.compile(
    rb"(?<![\w.])((?:1|0x0*1)[uU]?|(?:unsigned|uint32_t|u32|int)\s*\(\s*1[uU]?\s*\))\s*\Z"
)
_BIT_BEFORE = 40
_RECEIVED = re.compile(
    rb"(?:^|[;{}(,:\n])\s*(?:const\s+|constexpr\s+|volatile\s+)*"
    rb"((?:[A-Za-z_][\w:]*[\s&]+){0,4}?)([A-Za-z_]\w*)(\s*\[[^\[\];]{0,40}\])?\s*(?:[|&^]?=|\{)\s*"
    rb"((?:static_cast\s*<[^<>;]{1,40}>\s*\(|\([\w\s:]{1,40}\)|~|!|\s|\()*)$"
)
_RETURNED = re.compile(rb"\breturn\s+(?:static_cast\s*<[^<>;]{1,40}>\s*\(|\(|\s)*$")
_NARROW_CAST = re.compile(
    rb"(?:static_cast\s*<\s*(?:" + NARROW + rb")\s*>\s*\(|\(\s*(?:" + NARROW + rb")\s*\)"
    rb"|[^\w:](?:" + NARROW + rb")\s*\()\s*$"
)
_NARROW_TYPE = re.compile(rb"\s*(?:" + NARROW + rb")[\s&]*")
_WIDE_TYPE = re.compile(rb"\s*(?:" + WIDE + rb"|auto)[\s&]*")
_NAME = re.compile(rb"\s*\(?\s*([A-Za-z_]\w*)\s*\)?\s*")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_PROJECT = (
    *(b"shfl", b"SHFL", b"Shfl", b"shuffle", b"SHUFFLE", b"Shuffle", b"ballot", b"BALLOT"),
    *(b"Ballot", b"sync_warp", b"syncwarp", b"SYNC_WARP", b"SYNCWARP", b"syncWarp", b"SyncWarp"),
)
_MASK_NAME = re.compile(rb"(?i:(?:shfl|sync|warp|lane|group|full|active|all)\w*mask)")
_BEFORE = 160
_MOST_ARGUMENTS = 6


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _given(text)
    if not text.words.isdisjoint(_GIVERS):
        masks: set[tuple[int, bytes]] = set()
        yield from _results(text, masks)
        yield from _counted(text, masks)
    if text.has(b"lane", b"lid", b"threadIdx"):
        yield from _lane_bits(text)
    yield from _project_calls(text)


def _given(text: MarkText) -> Iterator[FoundMark]:
    """The masks that builtins are given, and the local variables that hold them."""
    declared: set[int] = set()
    for place, name, opening in text.calls(text.like(_MASKED, b"_sync", b"__syncwarp")):
        split = text.file.code.brackets.arguments(opening)
        if split is None or not split[0]:
            continue
        start, end = split[0][0]
        bits = expression_bits(text, start, end)
        yield FoundMark(
            MarkKind.LANE_MASK,
            place,
            place + len(name),
            name.decode("ascii"),
            (tidy(text.masked[start:end]), str(bits or "")),
        )
        variable = _NAME.fullmatch(text.masked, start, end)
        if bits == 32 and variable is not None:  # noqa: PLR2004 - bits of an int
            yield from _variable(text, variable[1], name, start, declared)


def _results(text: MarkText, masks: set[tuple[int, bytes]]) -> Iterator[FoundMark]:
    """Masks that builtins give, where the code keeps them in an integer variable or returns them.

    ``masks`` takes in the variables that hold them, with the function's start.
    """
    for place, name, _ in text.calls(_GIVERS):
        scope = text.function_at(place)
        if scope is None or text.file.code.directives.at(place) is not None:
            continue
        before = text.masked[max(scope.start, place - _BEFORE) : place]
        receiver, bits = _receiver(text, before, place)
        if receiver and receiver != b"return":
            masks.add((scope.start, receiver))
        if _NARROW_CAST.search(before):
            bits = 32
        elif receiver == b"return":
            bits = returned_bits(text, scope)
        if bits == 32:  # noqa: PLR2004 - bits of an int
            values = (receiver.decode("ascii"), "32")
            end = place + len(name)
            yield FoundMark(MarkKind.MASK_RESULT, place, end, name.decode("ascii"), values)


def _receiver(text: MarkText, before: bytes, at: int) -> tuple[bytes, int]:
    """The variable that an expression is given to, "return" for a returned one, and its bits."""
    if _RETURNED.search(before):
        return b"return", 0
    match = _RECEIVED.search(before)
    if match is None or match[3]:
        return b"", 0
    if _NARROW_TYPE.fullmatch(match[1]):
        return match[2], 32
    if _WIDE_TYPE.fullmatch(match[1]):
        return match[2], 64
    return match[2], 0 if match[1].strip() else declared_bits(text, match[2], at)


def _counted(text: MarkText, masks: set[tuple[int, bytes]]) -> Iterator[FoundMark]:
    """Bits of lane masks counted or searched with the functions for 32 bits."""
    for place, name, opening in text.calls(_COUNTS):
        scope = text.function_at(place)
        split = text.file.code.brackets.arguments(opening)
        if scope is None or split is None or not split[0]:
            continue
        start, end = split[0][0]
        written = text.masked[start:end]
        held = any((scope.start, word) in masks for word in _WORD.findall(written))
        given = _GIVES.search(written)
        direct = given is not None and _NARROW_CAST.search(b" " + written[: given.start()]) is None
        if held or given:
            yield FoundMark(
                MarkKind.MASK_BITS,
                place,
                place + len(name),
                name.decode("ascii"),
                (tidy(written), "direct" if direct else "held"),
            )


def _lane_bits(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for shift in _BY_LANE.finditer(masked):
        bit = _BIT.search(masked, max(0, shift.start() - _BIT_BEFORE), shift.start())
        if bit is not None:
            left, right = bit[1].decode("ascii"), "".join(shift[1].decode("ascii").split())
            symbol = f"{left} << {right}"
            yield FoundMark(MarkKind.LANE_BIT, bit.start(), shift.end(), symbol, (left, right))


def _project_calls(text: MarkText) -> Iterator[FoundMark]:
    """Calls of what looks like the project's own warp function, and the masks it is given."""
    masked = text.masked
    seen: set[int] = set()
    names = {word for word in text.with_part(*_PROJECT) if not word.startswith(b"__")}
    for place, name, opening in text.calls(names):
        scope = text.function_at(place)
        if scope is None or place < scope.body:
            continue
        split = text.file.code.brackets.arguments(opening)
        if split is None:
            continue
        spans = split[0][:_MOST_ARGUMENTS]
        written = tuple(tidy(masked[start:end]) for start, end in spans)
        bits = str(expression_bits(text, *spans[0]) or "") if spans else ""
        told = name.decode("ascii")
        yield FoundMark(MarkKind.WARP_CALL, place, place + len(name), told, (bits, *written))
        for start, end in spans:
            variable = _NAME.fullmatch(masked, start, end)
            if variable is not None and _MASK_NAME.search(variable[1]):
                yield from _variable(text, variable[1], name, start, seen)


def _variable(
    text: MarkText, name: bytes, function: bytes, at: int, seen: set[int]
) -> Iterator[FoundMark]:
    """Where a function's own 32-bit variable, no parameter, is declared."""
    place = declaration(text, name, at)
    scope = text.function_at(at)
    if place is None or place[1] != 32 or place[0] in seen or scope is None:  # noqa: PLR2004 - bits
        return
    if place[0] < scope.body:
        return
    seen.add(place[0])
    symbol, of = name.decode("ascii"), function.decode("ascii")
    yield FoundMark(MarkKind.MASK_VARIABLE, place[0], place[0] + len(name), symbol, (of,))


FINDER = Finder(
    _find,
    signs=(b"_sync", b"__syncwarp", b"__ballot", b"__activemask", b"__match_", b"shfl", b"SHFL",
           b"lane", b"huffle", b"allot"),
)  # fmt: skip
