"""The walk over folders: what is a candidate, what is left out and why, before any reading."""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from migrate.discover.git import submodule_paths
from migrate.discover.git_index import tracked_paths
from migrate.discover.ignore import PatternList
from migrate.discover.language import language_by_name, language_of, worth_a_look
from migrate.model.source import Language, Skipped
from migrate.treefile import read_small

_OWN_IGNORE_FILE = ".hipassessignore"
_IGNORE_FILES = (".gitignore", _OWN_IGNORE_FILE)
_IGNORE_FILE_LIMIT = 1 << 20
_SPECIAL = "special file (pipe, socket or device)"
_SILENT_FOLDERS = frozenset((".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "__pycache__"))
_PRUNED_BY_NAME = {"node_modules": "JavaScript packages", "CMakeFiles": "CMake build folder"}
_PRUNED_BY_MARK = {
    "pyvenv.cfg": "Python virtual environment",
    "CACHEDIR.TAG": "cache folder (CACHEDIR.TAG)",
    "CMakeCache.txt": "CMake build folder",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A regular file whose name makes it worth reading; ``language`` None: its content decides."""

    path: str
    size: int
    language: Language | None


@dataclass(frozen=True, slots=True)
class Filters:
    """The user's own patterns: what to take (empty: all), and what never to take."""

    include: PatternList
    exclude: PatternList


@dataclass(frozen=True, slots=True)
class _Level:
    """An ignore file's patterns; they hold for paths from character ``start`` on."""

    start: int
    patterns: PatternList
    source: str


class _Repository:
    """The repository that a folder belongs to: what it tracks, looked up when first asked."""

    __slots__ = ("_path", "_root", "_tracked")

    def __init__(self, root: str, path: str) -> None:
        self._root = root
        self._path = path
        self._tracked: frozenset[str] | None = None

    def tracks(self, path: str, *, folder: bool) -> bool:
        """Whether git tracks the file ``path``, or a file in the folder ``path``."""
        if self._tracked is None:
            self._tracked = tracked_paths(f"{self._root}/{self._path}".rstrip("/"))
        return path[len(self._path) :] + "/" * folder in self._tracked


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder still to be read; ``path`` is "" or ends in a slash, ``levels`` is deepest first.

    ``ignored`` is why nothing in it is taken but what git tracks; "" where that is not so.
    """

    path: str
    levels: tuple[_Level, ...]
    repository: _Repository
    ignored: str = ""


class Walk:
    """One pass over the scanned folders; paths in it are raw, as the system gives them."""

    def __init__(self, root: str, filters: Filters) -> None:
        self.root = root
        self.filters = filters
        self.candidates: list[Candidate] = []
        self.skipped: list[Skipped] = []
        self.submodules: set[str] = set()

    def folder(self, start: str) -> None:
        """Read everything below ``start`` ("" for the root, else with a closing slash)."""
        waiting = [_Folder(start, (), _Repository(self.root, start))]
        while waiting:
            waiting.extend(self._read_folder(waiting.pop(), start))

    def file(self, path: str) -> None:
        """Take a file that the user named, whatever the patterns say."""
        state = Path(self.root, path).lstat()
        if stat.S_ISREG(state.st_mode):
            self.candidates.append(Candidate(path, state.st_size, language_of(path)))
        else:
            self._skip(path, _SPECIAL)

    def empty_submodules(self) -> tuple[str, ...]:
        """Return the declared submodules whose folder is there and has nothing in it."""
        return tuple(sorted(path for path in self.submodules if self._is_empty(path)))

    def _is_empty(self, path: str) -> bool:
        full = f"{self.root}/{path}"
        try:
            return os.path.realpath(full) == full and next(Path(full).iterdir(), None) is None
        except OSError:
            return False

    def _read_folder(self, folder: _Folder, start: str) -> Iterator[_Folder]:
        try:
            with os.scandir(f"{self.root}/{folder.path}") as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self._skip(folder.path.removesuffix("/") or ".", reason_of(error), candidate=True)
            return
        names = {entry.name for entry in entries}
        mark = next((name for name in _PRUNED_BY_MARK if name in names), None)
        if mark is not None and folder.path != start and "CMakeLists.txt" not in names:
            self._skip(folder.path.removesuffix("/"), _PRUNED_BY_MARK[mark])
            return
        here = self._entered(folder, names)
        left_out: Counter[str] = Counter()
        for entry in entries:
            path = folder.path + entry.name
            if entry.is_symlink():
                self._link(path, entry.name)
            elif entry.is_dir(follow_symlinks=False):
                inner = self._inner(path, entry.name, here)
                if inner is not None:
                    yield inner
            else:
                self._entry(entry, path, here, left_out)
        for reason, count in left_out.items():
            files = "1 file" if count == 1 else f"{count} files"
            self._skip(folder.path.removesuffix("/") or ".", f"{files} {reason}")

    def _entered(self, folder: _Folder, names: set[str]) -> _Folder:
        """Return the folder with the patterns that hold in it, and note its submodules."""
        levels, repository = folder.levels, folder.repository
        if ".git" in names:  # another repository: the patterns above do not reach into it
            repository = _Repository(self.root, folder.path)
            levels = self._read_patterns(folder.path, ".git/info/exclude")
            if ".gitmodules" in names:
                declared = read_small(f"{self.root}/{folder.path}.gitmodules", _IGNORE_FILE_LIMIT)
                self.submodules.update(folder.path + path for path in submodule_paths(declared))
        for name in _IGNORE_FILES:
            if name in names:
                levels = (*self._read_patterns(folder.path, name), *levels)
        return replace(folder, levels=levels, repository=repository)

    def _read_patterns(self, folder: str, name: str) -> tuple[_Level, ...]:
        text = read_small(f"{self.root}/{folder}{name}", _IGNORE_FILE_LIMIT)
        patterns = PatternList(text.decode("utf-8-sig", "surrogateescape").split("\n"))
        return (_Level(len(folder), patterns, name),) if patterns else ()

    def _inner(self, path: str, name: str, here: _Folder) -> _Folder | None:
        """Return a folder to be walked; None for one that is not, which is noted once."""
        if name in _SILENT_FOLDERS:
            return None
        reason = self._left_out(path, name, here, folder=True) or _PRUNED_BY_NAME.get(name)
        if reason:
            self._skip(path, reason)
            return None
        ignored = here.ignored or self._ignored(path, name, here, folder=True)
        return _Folder(f"{path}/", here.levels, here.repository, ignored)

    def _entry(
        self, entry: os.DirEntry[str], path: str, here: _Folder, left_out: Counter[str]
    ) -> None:
        """Take a file in, count it as left out, or pass over a name of no interest."""
        language = language_of(path)
        if language is None and not worth_a_look(entry.name):
            return
        reason = self._left_out(path, entry.name, here, folder=False)
        if reason:
            if language is not None:
                left_out[reason] += 1
            return
        try:
            regular = entry.is_file(follow_symlinks=False)
            size = entry.stat(follow_symlinks=False).st_size
        except OSError as error:
            self._skip(path, reason_of(error), candidate=True)
            return
        if regular:
            self.candidates.append(Candidate(path, size, language))
        elif language is not None:
            self._skip(path, _SPECIAL)

    def _left_out(self, path: str, name: str, here: _Folder, *, folder: bool) -> str:
        """Return why patterns leave a path out, "" if they do not; git's spare what it tracks."""
        if self.filters.exclude and self.filters.exclude.verdict(path, name, folder=folder):
            return "excluded by the settings"
        if not folder and self.filters.include and not self.filters.include.takes(path):
            return "matched by no include pattern"
        ignored = self._ignored(path, name, here, folder=folder)
        if ignored.endswith(_OWN_IGNORE_FILE):
            return ignored
        ignored = ignored or here.ignored
        return "" if ignored and here.repository.tracks(path, folder=folder) else ignored

    def _ignored(self, path: str, name: str, here: _Folder, *, folder: bool) -> str:
        """Return which ignore file leaves a path out, "" if none does."""
        for level in here.levels:
            answer = level.patterns.verdict(path[level.start :], name, folder=folder)
            if answer is not None:
                return f"ignored by {level.source}" if answer else ""
        return ""

    def _link(self, path: str, name: str) -> None:
        """Note a symbolic link that would have been of interest; it is never followed."""
        full = f"{self.root}/{path}"
        try:
            target = os.path.realpath(full, strict=True)
        except OSError as error:
            loop = error.errno == errno.ELOOP
            outside = folder = False
            reason = "symbolic link loop" if loop else "symbolic link that leads nowhere"
        else:
            outside = not Path(target).is_relative_to(self.root)
            folder = not outside and Path(target).is_dir()
            reason = "symbolic link out of the tree" if outside else "symbolic link"
        if folder or outside or language_by_name(name) is not None:
            unread = outside and language_by_name(name) is not None
            self._skip(path, reason, candidate=unread)

    def _skip(self, path: str, reason: str, *, candidate: bool = False) -> None:
        self.skipped.append(Skipped(path, reason, candidate=candidate))


def reason_of(error: OSError) -> str:
    """Return why the system refused, without the path and in the same words everywhere."""
    if isinstance(error, PermissionError):
        return "not readable: permission denied"
    if isinstance(error, FileNotFoundError):
        return "vanished while it was read"
    return "not readable: " + (os.strerror(error.errno) if error.errno else type(error).__name__)
