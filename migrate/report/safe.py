"""Text from a scanned tree made fit to show: no control codes, lone surrogates or bidi marks."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_BYTE = range(0xDC80, 0xDD00)
_ONE_BYTE = 0x100
_NARROWEST = 8


def printable(text: str) -> str:
    r"""Return one line of text with everything that could act instead of show written as ``\xNN``.

    File names and source lines come from hostile trees: an escape sequence would drive the terminal
    and a bidi mark would show code in another order than it runs (CVE-2021-42574).
    """
    return _UNPRINTABLE.sub(_escape, text)


def encodable_json(text: str) -> str:
    r"""Return JSON text that UTF-8 can carry: a stray byte in a name reads back as ``\xNN``."""
    return _SURROGATE.sub(lambda match: f"\\{_escape(match)}", text)


def shorten(text: str, width: int) -> str:
    """Cut the front of a path or name that is longer than ``width``: the end tells most.

    A path is cut before a slash where one leaves something to read.
    """
    if len(text) <= width or width < _NARROWEST:
        return text
    tail = text[len(text) - (width - 1) :]
    slash = tail.find("/")
    return f"\u2026{tail[slash:]}" if 0 <= slash < len(tail) - _NARROWEST else f"\u2026{tail}"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code in _ESCAPED_BYTE:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < _ONE_BYTE else f"\\u{code:04x}"
