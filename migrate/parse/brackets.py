"""Matching brackets and splitting arguments in masked text."""

from __future__ import annotations

import re

_BRACKET = re.compile(rb"[()\[\]{},;]")
_OPENING = b"([{"
_LONGEST = 60_000


def split_arguments(masked: bytes, opening: int) -> tuple[list[tuple[int, int]], int] | None:
    """Split a bracketed list at its own commas.

    Args:
        masked: text without comments and literals.
        opening: offset of the opening bracket.

    Returns:
        The spans between the commas (none for an empty list) and the offset behind the closing
        bracket; None where the bracket does not close in a sensible distance.
    """
    depth = 0
    spans: list[tuple[int, int]] = []
    start = opening + 1
    for match in _BRACKET.finditer(masked, opening, opening + _LONGEST):
        character = match[0]
        if character in _OPENING:
            depth += 1
        elif character == b",":
            if depth == 1:
                spans.append((start, match.start()))
                start = match.end()
        elif character == b";":
            if depth == 1 and masked[opening : opening + 1] == b"(":
                return None
        else:
            depth -= 1
            if depth == 0:
                if spans or masked[start : match.start()].strip():
                    spans.append((start, match.start()))
                return spans, match.end()
    return None


def skip_template_arguments(masked: bytes, opening: int) -> int:
    """The offset behind the ``>`` that closes the ``<`` at ``opening``; -1 where none does nearby."""
    depth = 0
    for match in re.compile(rb"[<>();{}]").finditer(masked, opening, opening + 600):
        character = match[0]
        if character == b"<":
            depth += 1
        elif character == b">":
            depth -= 1
            if depth == 0:
                return match.end()
        elif character in b";{}":
            return -1
    return -1
