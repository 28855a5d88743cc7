"""Files of a tree that nobody vouches for: printable names, opened without following links."""

from __future__ import annotations

import os
import re
import stat

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


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


def read_head(path: str, size: int) -> bytes:
    """Return up to ``size`` first bytes of a file.

    Raises:
        OSError: it cannot be opened or read, or is a symbolic link.
    """
    descriptor = os.open(path, _FLAGS)
    try:
        return os.read(descriptor, size)
    finally:
        os.close(descriptor)


def read_small(path: str, limit: int) -> bytes:
    """Return a small regular file's bytes; b"" where it is absent, a link, unreadable or larger."""
    try:
        state = os.lstat(path)
        if not stat.S_ISREG(state.st_mode) or state.st_size > limit:
            return b""
        return read_head(path, limit)
    except OSError:
        return b""


def read_regular_file(root: str, path: str) -> bytes:
    """Read a whole file of a tree by its printable path; a link or a special file is refused.

    Raises:
        OSError: it cannot be read, or it is no regular file (any more).
    """
    descriptor = os.open(f"{root}/{system_path(path)}", _FLAGS)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        return stream.read()


def decode_text(data: bytes) -> str:
    """Decode a file as its mark says, else as UTF-8 where it is that, else as Latin-1."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
