"""How a file's name on disk becomes a printable path, and how to get back to the disk."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\\\\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))")
_LAST_LATIN = 0xFF


def printable_path(path: str) -> str:
    r"""Return the path as it stands in results: no control, bidi or undecodable characters.

    A control character or a backslash becomes ``\xNN``, a byte that is no UTF-8 ``\udcNN`` (as
    Python writes it), so that :func:`system_path` finds the file again.
    """
    return _UNPRINTABLE.sub(_escape, path)


def system_path(path: str) -> str:
    """Return the path to open for one that :func:`printable_path` made."""
    return _ESCAPE.sub(_unescape, path) if "\\" in path else path


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code <= _LAST_LATIN else f"\\u{code:04x}"


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))
