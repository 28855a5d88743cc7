"""The warp builtins that take a lane mask, and how wide a mask as written is."""

from __future__ import annotations

from migrate.model.facts import CallSite
from migrate.rules.code import Code

SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
VOTES = ("__all_sync", "__any_sync", "__ballot_sync")
MATCHES = ("__match_any_sync", "__match_all_sync")
REDUCTIONS = tuple(
    f"__reduce_{operation}_sync" for operation in ("add", "min", "max", "and", "or", "xor")
)
MASKED = (*SHUFFLES, *VOTES, *MATCHES, *REDUCTIONS)
"""Builtins whose first argument is a lane mask that HIP wants in 64 bits."""

_32_BITS = 0xFFFFFFFF


def mask_bits(code: Code, call: CallSite) -> int:
    """How many bits the type of a call's lane mask has: 32, 64, or 0 where that is not known.

    The compiler's answer where it was asked; else a literal or a named constant of the tree. A
    literal without suffix that needs no more than 32 bits is an ``int`` or ``unsigned``.
    """
    seen = {
        one.mask_bits
        for one in code.warp_calls
        if (one.line, one.column) == (call.line, call.column) and one.mask_bits
    }
    if seen:
        return min(seen)
    text = call.arguments[0].strip().strip("()")
    values = code.values_of(text)
    if not values:
        return 0
    if text[:1].isdigit() or text[:1] in "~-":
        long = text.rstrip("uU").lower().endswith("l") or "ul" in text.lower()
        return 64 if long or max(map(abs, values)) > _32_BITS else 32
    return 64 if max(map(abs, values)) > _32_BITS else 32
