"""Opening files of a tree that nobody vouches for: no links followed, no pipe waited for."""

from __future__ import annotations

import os
import stat

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


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
