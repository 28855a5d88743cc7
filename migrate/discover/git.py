"""What a tree's .git says, read as plain files: the commit, and which folders are submodules.

Nothing here runs git: a tree's own configuration could make it run programs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from migrate.treefile import read_small

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE = re.compile(r"ref: (refs/[\w.@/+#=-]+)")
_PATH_LINE = re.compile(r"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)
_LIMIT = 4 << 20


def read_commit(root: str) -> str:
    """Return the commit that the folder ``root`` has checked out; "" where files do not tell.

    A worktree or submodule whose ``.git`` is a file points to a folder elsewhere: not followed.
    """
    head = _text(root, "HEAD").strip()
    if _HASH.fullmatch(head):
        return head
    reference = _REFERENCE.fullmatch(head)
    if reference is None or ".." in PurePosixPath(reference[1]).parts:
        return ""
    loose = _text(root, reference[1]).strip()
    if _HASH.fullmatch(loose):
        return loose
    for line in _text(root, "packed-refs").splitlines():
        commit, _, name = line.partition(" ")
        if name == reference[1] and _HASH.fullmatch(commit):
            return commit
    return ""


def read_git_file(root: str, name: str, limit: int) -> bytes:
    """Return a file of .git; b"" where it is absent, larger, or a link leads to it."""
    path = str(Path(root, ".git", name))
    return read_small(path, limit) if os.path.realpath(path) == path else b""


def _text(root: str, name: str) -> str:
    return read_git_file(root, name, _LIMIT).decode("utf-8", "replace")


def submodule_paths(gitmodules: bytes) -> tuple[str, ...]:
    """Return the paths that a .gitmodules file declares, as written there."""
    text = gitmodules.decode("utf-8", "surrogateescape")
    paths = (path.strip('"').strip("/") for path in _PATH_LINE.findall(text))
    return tuple(path for path in paths if path and ".." not in path.split("/"))
