"""Which files git tracks, read from .git/index: an ignore pattern does not hold for them."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from migrate.discover.git import read_git_file

_LIMIT = 64 << 20
_HEADER = struct.Struct(">4sII")
_STAT_BYTES = 40
_HASH_BYTES = 20
_EXTENDED = 0x4000
_FIRST_WITH_PREFIXES = 4


def tracked_paths(folder: str) -> frozenset[str]:
    """Return the files that the repository at ``folder`` tracks, and the folders that hold them.

    Folders end in a slash. Empty where there is no index that can be read, or its hashes are not
    SHA-1.
    """
    data = read_git_file(folder, "index", _LIMIT)
    try:
        files = list(_entries(data))
    except (struct.error, IndexError, ValueError):
        return frozenset()
    names = {name.decode("utf-8", "surrogateescape") for name in files}
    folders = {name[: place + 1] for name in names for place in _slashes(name)}
    return frozenset(names | folders)


def _slashes(name: str) -> Iterator[int]:
    place = name.find("/")
    while place >= 0:
        yield place
        place = name.find("/", place + 1)


def _entries(data: bytes) -> Iterator[bytes]:
    """Yield the paths of an index of version 2, 3 or 4.

    Raises:
        ValueError: it is none of these, or it ends too early (so does struct.error, IndexError).
    """
    signature, version, count = _HEADER.unpack_from(data)
    if signature != b"DIRC" or version not in {2, 3, _FIRST_WITH_PREFIXES}:
        raise ValueError("not an index")
    at, path = _HEADER.size, b""
    for _ in range(count):
        start = at
        at += _STAT_BYTES + _HASH_BYTES
        (flags,) = struct.unpack_from(">H", data, at)
        at += 4 if flags & _EXTENDED else 2
        if version == _FIRST_WITH_PREFIXES:
            dropped, at = _offset(data, at)
            end = data.index(b"\0", at)
            path = path[: len(path) - dropped] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            path = data[at:end]
            at = start + ((end - start + 8) & ~7)
        yield path


def _offset(data: bytes, at: int) -> tuple[int, int]:
    """Read git's variable-width number at ``at``; return it and the place after it."""
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, at + 1
