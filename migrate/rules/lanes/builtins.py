"""The warp builtins that take a lane mask, and how wide a mask as written is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.mark import Mark, MarkKind
from migrate.rules.code import Code

SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
VOTES = ("__all_sync", "__any_sync", "__ballot_sync")
MATCHES = ("__match_any_sync", "__match_all_sync")
REDUCTIONS = tuple(
    f"__reduce_{operation}_sync" for operation in ("add", "min", "max", "and", "or", "xor")
)
MASKED = (*SHUFFLES, *VOTES, *MATCHES, *REDUCTIONS, "__syncwarp")
"""Builtins whose first argument is a lane mask that HIP wants in 64 bits."""

_32_BITS = 0xFFFFFFFF
_LONG = re.compile(r"[\dA-Fa-f][uU]?[lL]")
_LITERAL_MASK = re.compile(r"[-~]?\s*\(?\s*(?:0[xX][0-9a-fA-F']+|\d[\d']*)[uUlL]*\s*\)?")


def masked_calls(code: Code) -> Iterator[tuple[CallSite, int]]:
    """The calls with a lane mask, and how many bits its type has; 0 where that is not known.

    The compiler's answer where it was asked; else by the declarations around the call, a literal
    or a named constant of the tree.
    """
    compiled: dict[tuple[int, int], int] = {}
    for one in code.warp_calls:
        if one.mask_bits:
            place = one.line, one.column
            compiled[place] = min(one.mask_bits, compiled.get(place, one.mask_bits))
    seen = {(mark.line, mark.column): mark for mark in code.marks(MarkKind.LANE_MASK)}
    for call in code.calls(*MASKED):
        if call.arguments:
            place = call.line, call.column
            yield call, compiled.get(place, 0) or _bits(code, call, seen.get(place))


def _bits(code: Code, call: CallSite, mark: Mark | None) -> int:
    if mark is not None and mark.values[1]:
        return int(mark.values[1])
    return mask_bits(code, call.arguments[0])


def mask_bits(code: Code, text: str) -> int:
    """The bits of a mask that is a literal or a named constant; 0 for others.

    A literal without suffix that needs no more than 32 bits is an ``int`` or ``unsigned``.
    """
    text = text.strip()
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    declared = code.base.constant_bits.get(text)
    if declared:
        return declared
    values = code.values_of(text)
    if not values:
        return 0
    long = _LITERAL_MASK.fullmatch(text) is not None and _LONG.search(text) is not None
    return 64 if long or max(map(abs, values)) > _32_BITS else 32
