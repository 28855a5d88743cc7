"""Names for findings and their sites that outlive edits elsewhere in a file (contract, "JSON")."""

from __future__ import annotations

import hashlib

RULE_API = "HA-API"
"""A name that does not map mechanically."""
RULE_ASM = "HA-ASM"
"""Inline assembly for NVIDIA GPUs."""
RULE_LAUNCH = "HA-LAUNCH"
"""A kernel launch that HIP does not have."""
RULE_USE = "HA-USE"
"""A mechanical use, listed with ``--all-uses``; no hazard ever gets this id."""

NAME_RULES = frozenset({RULE_API, RULE_ASM, RULE_LAUNCH, RULE_USE})
"""The ids that stand for a name's verdict, not for a hazard."""


def finding_id(rule: str, symbol: str, function: str) -> str:
    """A finding's id: its rule, symbol and function; the same in every run."""
    return _digest(rule, symbol, function)


def site_fingerprint(rule: str, symbol: str, function: str, line_hash: int, ordinal: int) -> str:
    """A site's fingerprint: no path, no line number.

    Args:
        rule: the finding's rule.
        symbol: its symbol.
        function: the function that the site is in.
        line_hash: the hash of the line's text without white space.
        ordinal: the site's number among those that are equal in all of the above, from 0.
    """
    return _digest(rule, symbol, function, f"{line_hash:08x}", str(ordinal))


def _digest(*words: str) -> str:
    text = "\0".join(words).encode(errors="backslashreplace")
    return hashlib.sha256(text).hexdigest()[:16]
