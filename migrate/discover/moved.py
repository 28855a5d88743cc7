"""Where a tree was when its compile commands were written: another place, another machine."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.discover.places import is_within

_SAMPLE = 2000
_DEEPEST = 32


def find_move(files: Sequence[str], root: str, database: str) -> tuple[str, str] | None:
    """Return the folder that the files' paths name and the folder that it is here, or None.

    ``files`` are absolute paths, ``database`` is the folder of the compile database: beside the
    root, the folders on the way from there to the database may be what has moved.
    """
    sample = [path for path in dict.fromkeys(files) if path][:_SAMPLE]
    bases = _bases(root, database)
    votes = Counter(move for path in sample if (move := _longest_end(path, bases)) is not None)
    if not votes:
        return None
    moved = min(votes, key=lambda move: (-votes[move], len(move[0]), move))
    below = sum(is_within(path, moved[0]) for path in sample)
    return moved if 2 * votes[moved] >= below else None


def _bases(root: str, database: str) -> list[str]:
    """Return the root and the folders between it and the database's, that one included."""
    bases = [root]
    if is_within(database, root):
        for part in database[len(root) :].strip("/").split("/")[:_DEEPEST]:
            if part:
                bases.append(f"{bases[-1].rstrip('/')}/{part}")
    return bases


def _longest_end(path: str, bases: Sequence[str]) -> tuple[str, str] | None:
    for start, end in _ends(path):
        for base in bases:
            if _is_regular(f"{base.rstrip('/')}/{end}"):
                return start, base
    return None


def _ends(path: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before and after each slash, the longest end first."""
    parts = path.split("/")
    for cut in range(max(1, len(parts) - _DEEPEST), len(parts)):
        yield "/".join(parts[:cut]) or "/", "/".join(parts[cut:])


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False
