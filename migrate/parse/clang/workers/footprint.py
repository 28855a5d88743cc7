"""What a unit's result rests on: the files that were read, and the headers that were not there."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

_MOST_BYTES = 64 << 20
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER_FLAGS = ("-isystem", "-iquote", "-idirafter", "-I")
_NAME = rb"[ \t]*[<\"]([^>\"\n]{1,400})[>\"]"
_ASKED = rb"__has_include(?:_next)?[ \t]*\("
_SPELT = re.compile(rb"(?:#[ \t]*(?:include|include_next|import)|" + _ASKED + rb")" + _NAME)
_TRIED = re.compile(_ASKED + _NAME)
_USUAL_FOLDERS = ("/usr/local/include", "/usr/include")


@dataclass(frozen=True, slots=True)
class Footprint:
    """What has to be as it was for a stored result to hold.

    ``tree`` are the tree's files with a hash of their content, ``outside`` the others with size and
    time of change in ns. ``near`` are folders that are searched before the toolkit's, ``far`` all
    others, ``names`` the headers that the tree's files ask for as they are spelt, and those that
    files outside ask for with ``__has_include``. ``found`` is a hash of which of them lie where: a
    header that appears in a folder searched earlier changes it.
    """

    tree: tuple[tuple[str, str], ...]
    outside: tuple[tuple[str, int, int], ...]
    near: tuple[str, ...]
    far: tuple[str, ...]
    names: tuple[str, ...]
    found: str


class FileStates:
    """Files and folders as this run meets them, each looked at once.

    ``since_ns`` is the start of the run: what changed later may have been read in either state.
    """

    def __init__(self, since_ns: int) -> None:
        # The clock that stamps files may be a tick (10 ms) behind.
        self._since_ns = since_ns - 20_000_000
        self._digest = cache(_digest)
        self._spelt = cache(partial(_names, _SPELT))
        self._tried = cache(partial(_names, _TRIED))
        self._stat = cache(_stat)
        self._listing = cache(_listing)
        self._exists = cache(os.path.exists)

    def digest(self, path: str) -> str:
        """A hash of a file's content, "" where it cannot be read."""
        return self._digest(path)

    def take(
        self,
        root: str,
        opened: Sequence[str],
        missing: Sequence[str],
        *,
        folders: Sequence[str],
        far: Sequence[str],
    ) -> Footprint | None:
        """The footprint of a unit that was just read.

        Args:
            root: the tree's folder.
            opened: the absolute path of every file that was opened.
            missing: the headers that were not found, as spelt.
            folders: the folders that are searched for headers before those of the toolkit.
            far: the folders that are searched after them.

        None where that cannot be told: a file is no regular one, or changed during the run.
        """
        inside = sorted({path for path in opened if within(path, root)})
        outside = sorted({path for path in opened if not within(path, root)})
        near = sorted({*folders, *map(_folder, inside)})
        watched = (*opened, *(folder for folder in near if within(folder, root)))
        if not all(map(self._settled, watched)):
            return None
        tree = tuple((path, self._digest(path)) for path in inside)
        if not all(digest for _, digest in tree):
            return None
        more = {*far, *_USUAL_FOLDERS}.union(*map(_ancestors, map(_folder, outside)))
        distant = sorted(more.difference(near))
        names = sorted(
            {*missing}.union(*map(self._spelt, inside)).union(*map(self._tried, outside))
        )
        return Footprint(
            tree=tree,
            outside=tuple((path, *self._size_and_time(path)) for path in outside),
            near=tuple(near),
            far=tuple(distant),
            names=tuple(names),
            found=self._found(near, distant, names, outside),
        )

    def holds(self, footprint: Footprint) -> bool:
        """Whether everything is as it was."""
        if any(self._size_and_time(path) != (*was,) for path, *was in footprint.outside):
            return False
        if any(self._digest(path) != digest for path, digest in footprint.tree):
            return False
        outside = [path for path, _, _ in footprint.outside]
        found = self._found(footprint.near, footprint.far, footprint.names, outside)
        return found == footprint.found

    def interferes(self, folders: Sequence[str], footprint: Footprint) -> bool:
        """Whether folders hold a file by a name that the headers outside ask for or may ask for."""
        outside = [path for path, _, _ in footprint.outside]
        return any(self._shadows(folders, outside)) or any(self._lying(folders, footprint.names))

    def _settled(self, path: str) -> bool:
        """Whether a file or folder is there and did not change since the run began."""
        # Looked at now, not as it was met first.
        state = _stat(path) if Path(path).is_absolute() else None
        if state is None or not (stat.S_ISREG(state.st_mode) or stat.S_ISDIR(state.st_mode)):
            return False
        return max(state.st_mtime_ns, state.st_ctime_ns) < self._since_ns

    def _size_and_time(self, path: str) -> tuple[int, int]:
        state = self._stat(path)
        return (state.st_size, state.st_mtime_ns) if state else (-1, -1)

    def _found(
        self, near: Sequence[str], far: Sequence[str], names: Sequence[str], outside: Sequence[str]
    ) -> str:
        lie = {*self._lying((*near, *far), names), *self._shadows(near, outside)}
        return hashlib.sha256("\n".join(sorted(lie)).encode("utf-8", "surrogatepass")).hexdigest()

    def _lying(self, folders: Sequence[str], names: Sequence[str]) -> Iterator[str]:
        """Which of the names lie in which folder."""
        by_first: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            by_first[name.split("/", 1)[0].lower()].append(name)
        for folder in folders:
            for first in by_first.keys() & (self._listing(folder) | {"", ".", ".."}):
                for name in by_first[first]:
                    path = f"{folder}/{name}"
                    if self._exists(path):
                        yield path

    def _shadows(self, folders: Sequence[str], outside: Sequence[str]) -> Iterator[str]:
        """Which files in the folders would be found for a header that now is found outside.

        A header of the toolkit or the system may be asked for by any ending of its path.
        """
        parts: set[str] = set().union(*map(_parts, outside))
        for folder in folders:
            for first in parts & self._listing(folder):
                for path in outside:
                    if first in _parts(path):
                        own = f"{folder}/{_ending(path, first)}"
                        if own != path and self._exists(own):
                            yield own


def include_folders(arguments: Sequence[str]) -> tuple[str, ...]:
    """The folders that clang's arguments have it search, in their order."""
    found: list[str] = []
    rest = iter(arguments)
    for one in rest:
        for flag in _FOLDER_FLAGS:
            if one.startswith(flag):
                found.append(one.removeprefix(flag) or next(rest, ""))
                break
    return tuple(dict.fromkeys(found))


def own_folders(arguments: Sequence[str]) -> tuple[str, ...]:
    """The folders among clang's arguments that belong to libclang."""
    if "-resource-dir" not in arguments:
        return ()
    own = str(Path(arguments[arguments.index("-resource-dir") + 1]).parent)
    return tuple(folder for folder in include_folders(arguments) if within(folder, own))


def within(path: str, root: str) -> bool:
    """Whether a path lies in a folder, by its text."""
    return f"{os.path.normpath(path)}/".startswith(f"{root.rstrip('/')}/")


def _digest(path: str) -> str:
    data = _content(path)
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _names(pattern: re.Pattern[bytes], path: str) -> frozenset[str]:
    found = pattern.findall(_content(path) or b"")
    return frozenset(name.decode("utf-8", "surrogateescape") for name in found)


def _content(path: str) -> bytes | None:
    try:
        descriptor = os.open(path, _READ)
        with os.fdopen(descriptor, "rb") as stream:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode) or state.st_size > _MOST_BYTES:
                return None
            return stream.read(_MOST_BYTES)
    except (OSError, ValueError):
        return None


def _stat(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def _listing(folder: str) -> frozenset[str]:
    """The names in a folder in small letters, as a file system may not tell them apart."""
    try:
        return frozenset(entry.name.lower() for entry in os.scandir(folder))
    except (OSError, ValueError):
        return frozenset()


@cache
def _folder(path: str) -> str:
    return str(Path(os.path.normpath(path)).parent)


@cache
def _ancestors(folder: str) -> frozenset[str]:
    above = _folder(folder)
    return frozenset((folder,)) | (_ancestors(above) if above != folder else frozenset())


@cache
def _parts(path: str) -> frozenset[str]:
    return frozenset(path.replace("\\", "/").lower().split("/")) - {""}


def _ending(path: str, first: str) -> str:
    parts = path.replace("\\", "/").split("/")
    place = [part.lower() for part in parts].index(first)
    return "/".join(parts[place:])
