"""The user's folder of things that can be made again: where it lies, who owns it, how large."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
import tempfile
import time
from pathlib import Path

_NAME = "hipassess"
_MOST_BYTES = 256 << 20
_LEFTOVER_SECONDS = 3600
_PREFIX = "new-"
_OTHERS = 0o077


def cache_folder() -> Path | None:
    """Where this user's caches belong, None where that cannot be told."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given, _NAME)
    local = os.environ.get("LOCALAPPDATA", "")
    if sys.platform == "win32" and local:
        return Path(local, _NAME, "Cache")
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / _NAME


class FolderError(Exception):
    """A folder that cannot be used for keeping results; the text says why."""


class Folder:
    """A folder with small files that only this program writes, each whole or not there.

    ``most`` is the size in bytes that :meth:`trim` leaves of them.
    """

    def __init__(self, path: Path, most: int = _MOST_BYTES) -> None:
        self.path = path
        self._most = most
        self._grown = False

    def read(self, name: str) -> bytes:
        """A file's content, b"" where it is not there."""
        try:
            return (self.path / name).read_bytes()
        except OSError:
            return b""

    def write(self, name: str, data: bytes) -> None:
        """Write a file, whole or not at all; that it cannot be written is no error."""
        with contextlib.suppress(OSError):
            descriptor, made = tempfile.mkstemp(prefix=_PREFIX, dir=self.path)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
            self.adopt(Path(made), name)

    def adopt(self, made: Path, name: str) -> None:
        """Give a finished file in this folder its name.

        Raises:
            OSError: it cannot be renamed; it is removed then.
        """
        try:
            made.replace(self.path / name)
        except OSError:
            made.unlink(missing_ok=True)
            raise
        self._grown = True

    def new_name(self) -> Path:
        """A path for a file that is not finished, for :meth:`adopt`."""
        return self.path / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(8)}"

    def remove(self, name: str) -> None:
        """Remove a file; that it is not there is no error."""
        with contextlib.suppress(OSError):
            (self.path / name).unlink()

    def touch(self, name: str) -> None:
        """Mark a file as used now, so that it is among the last to go."""
        with contextlib.suppress(OSError):
            os.utime(self.path / name)

    def trim(self) -> None:
        """Remove the files used longest ago until the rest is small enough, and old leftovers."""
        if not self._grown:
            return
        with contextlib.suppress(OSError):
            self._trim()

    def _trim(self) -> None:
        entries = []
        for entry in os.scandir(self.path):
            state = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(state.st_mode):
                continue
            unfinished = entry.name.startswith(_PREFIX)
            if unfinished and state.st_mtime < time.time() - _LEFTOVER_SECONDS:
                self.remove(entry.name)
            elif not unfinished:
                entries.append((state.st_mtime_ns, entry.name, state.st_size))
        size = sum(one for _, _, one in entries)
        for _, name, one in sorted(entries):
            if size <= self._most:
                return
            self.remove(name)
            size -= one


def open_folder(base: Path | None, part: str, most: int = _MOST_BYTES) -> Folder:
    """The folder of one kind of files in a user's cache folder, made where it is not there.

    Args:
        base: as of :func:`cache_folder`.
        part: the kind, a name.
        most: the size in bytes that trimming leaves.

    Raises:
        FolderError: it cannot be made or written, or is not this user's alone.
    """
    if base is None:
        raise FolderError("there is no home folder to keep results in")
    for path in (base, base / part):
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            _claim(path)
        except OSError as error:
            raise FolderError(f"{path}: {error.strerror or error}") from None
    if not os.access(base / part, os.W_OK | os.X_OK):
        raise FolderError(f"{base / part}: nothing can be written there")
    return Folder(base / part, most)


def _claim(path: Path) -> None:
    """See that nobody else writes to a folder.

    Raises:
        FolderError: it is somebody else's, or a link.
        OSError: its rights cannot be set.
    """
    state = path.lstat()
    if not stat.S_ISDIR(state.st_mode):
        raise FolderError(f"{path} is no folder of its own")
    if not hasattr(os, "geteuid"):
        return
    if state.st_uid != os.geteuid():
        raise FolderError(f"{path} belongs to another user")
    if state.st_mode & _OTHERS:
        path.chmod(0o700)
