"""Which folders and files a compile command may name, and how its paths become this machine's."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Iterable

from migrate.treefile import decode_text, read_small

_LONGEST_PATH = 4096
_DEEPEST = 128
_MOST_FOLDERS = 50_000
_MOST_LOOKUPS = 200_000
_RESPONSE_LIMIT = 1 << 20
_DRIVE = re.compile(r"[A-Za-z]:/")
# The system's own, and the places where asking for a name can open a connection.
_KEPT_OUT = ("/proc", "/sys", "/dev", "/net", "/afs")
_WINDOWS = os.name == "nt"


class Places:
    """Answers for paths in the compile commands of one tree; every folder is looked up once.

    ``toolkits`` are include folders of CUDA toolkits that are known otherwise. ``moved`` is a
    folder that the commands name and the folder that it is here: paths below the first are taken
    for those below the second; ("", "") for none.
    """

    def __init__(
        self, root: str, *, toolkits: Iterable[str] = (), moved: tuple[str, str] = ("", "")
    ) -> None:
        self.root = _real(root)
        self._toolkits = tuple(clean_path(folder) for folder in toolkits)
        self._old, self._new = moved
        self._asked: dict[tuple[str, str], str | None] = {}
        self._folders: dict[str, str | None] = {}
        self._parents: dict[str, str] = {}
        self._forced: dict[tuple[str, str, tuple[str, ...]], str] = {}
        self._lookups = 0

    def absolute(self, path: str, directory: str) -> str:
        """Return the path normalised and absolute; "" for none that a file can have."""
        path = clean_path(path, directory)
        if not self._old or not is_within(path, self._old):
            return path
        here = clean_path(path[len(self._old) :].lstrip("/"), self._new)
        # Below "/" lies everything, so there only what is found here has moved.
        return here if self._old != "/" or _lstat(here) else path

    def folder(self, path: str, directory: str) -> str | None:
        """Return the include folder to use, "" where it isn't there, None where it is refused.

        Refused are the file-system's root, the system's own folders (as /proc), and what a link
        in the tree leads out to. The tree's folders have the real root in front.
        """
        asked = path, directory
        if asked not in self._asked:
            if len(self._asked) >= _MOST_FOLDERS:
                self._asked.clear()
            self._asked[asked] = self._folder(self.absolute(path, directory))
        return self._asked[asked]

    def _folder(self, path: str) -> str | None:
        if path not in self._folders:
            if len(self._folders) >= _MOST_FOLDERS:
                return None
            self._folders[path] = self._judge(path)
        return self._folders[path]

    def _judge(self, path: str) -> str | None:
        if not path:
            return ""
        if self._kept_out(path):
            return None
        real = _real(path)
        if self._kept_out(real):
            return None
        if is_within(path, self.root) and not is_within(real, self.root):
            return None
        state = _lstat(real)
        if state is None or not stat.S_ISDIR(state.st_mode):
            return ""
        return real if is_within(real, self.root) else path

    def _kept_out(self, path: str) -> bool:
        return path == "/" or self._of_system(path)

    def _of_system(self, path: str) -> bool:
        for folder in _KEPT_OUT:
            scanned = is_within(self.root, folder) and is_within(path, self.root)
            if is_within(path, folder) and not scanned:
                return True
        return _WINDOWS and (path.startswith("//") or path.rstrip("/").endswith(":"))

    def in_tree(self, path: str) -> str:
        """Return a regular file's path relative to the root; "" where it isn't one of the tree.

        Folders on the way may be links that stay in the tree, the file itself may be none.
        """
        folder, _, name = path.rpartition("/")
        if not self.holds(path) or not name:
            return ""
        here = f"{self._parent(folder).rstrip('/')}/{name}"
        return here[len(self.root.rstrip("/")) + 1 :] if _is_regular(here) else ""

    def holds(self, path: str) -> bool:
        """Whether a path really lies in the tree, its file being there or not."""
        return bool(path) and is_within(self._parent(path.rpartition("/")[0]), self.root)

    def _parent(self, folder: str) -> str:
        if folder not in self._parents:
            if len(self._parents) >= _MOST_FOLDERS:
                return ""
            self._parents[folder] = self._real_parent(folder or "/")
        return self._parents[folder]

    def _real_parent(self, folder: str) -> str:
        if self._of_system(folder):
            return ""
        return folder if _lstat(folder) is None else _real(folder)

    def forced(self, name: str, directory: str, folders: tuple[str, ...]) -> str:
        """Return the file of an ``-include``, "" where it is refused or isn't there.

        It is looked for as a compiler does, in the command's folder and then in the include
        folders, and must lie in the tree or in an include folder of a CUDA toolkit.
        """
        asked = name, directory, folders
        if asked not in self._forced:
            places = (directory, *folders, *self._toolkits)
            found = (self._in_folder(name, folder) for folder in places)
            self._forced[asked] = next(filter(None, found), "")
        return self._forced[asked]

    def _in_folder(self, name: str, folder: str) -> str:
        self._lookups += 1
        if self._lookups > _MOST_LOOKUPS:
            return ""
        path = self.absolute(name, folder)
        here = self.in_tree(path) if path else ""
        if here:
            return f"{self.root.rstrip('/')}/{here}"
        if not is_within(path, folder) or not _lstat(path) or not self._of_toolkit(folder):
            return ""
        real = _real(path)
        return path if is_within(real, _real(folder)) and _is_regular(real) else ""

    def _of_toolkit(self, folder: str) -> bool:
        """Whether an include folder is one of CUDA's; the command's own folder may be anything."""
        if self.folder(folder, "") is None:
            return False
        real = _real(folder)
        if any(is_within(real, _real(toolkit)) for toolkit in self._toolkits):
            return True
        return _is_regular(_real(f"{folder}/cuda_runtime.h"))

    def toolkit(self, path: str, directory: str) -> str:
        """Return the folder of a CUDA toolkit, "" where there is none."""
        folder = self.folder(path, directory)
        found = folder and _is_regular(_real(f"{folder}/include/cuda_runtime.h"))
        return folder if folder and found else ""

    def response(self, path: str) -> str | None:
        """Return the text of a response file, None where it is refused or isn't there.

        ``path`` is absolute; only the tree's own files of at most 1 MiB are read.
        """
        here = self.in_tree(path)
        return _read_response(f"{self.root}/{here}") if here else None


def _read_response(path: str) -> str | None:
    state = _lstat(path)
    data = read_small(path, _RESPONSE_LIMIT)
    return decode_text(data) if data or (state is not None and state.st_size == 0) else None


def clean_path(path: str, directory: str = "") -> str:
    """Return a path with slashes, absolute and normalised; "" for one that no file can have."""
    if _WINDOWS or _DRIVE.match(path.replace("\\", "/")) or path.startswith("\\\\"):
        path = path.replace("\\", "/")
    if not is_absolute(path):
        if not directory:
            return ""
        path = f"{directory}/{path}"
    if len(path) > _LONGEST_PATH or "\0" in path:
        return ""
    try:
        path.encode()
    except UnicodeEncodeError:
        return ""
    path = posixpath.normpath(path)
    if path.count("/") > _DEEPEST:
        return ""
    return path[1:] if path.startswith("//") and not _WINDOWS else path


def is_absolute(path: str) -> bool:
    """Whether a path with slashes is absolute, on whichever system."""
    return path.startswith("/") or bool(_DRIVE.match(path))


def is_within(path: str, folder: str) -> bool:
    """Whether a path is the folder or lies below it, by their names."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _real(path: str) -> str:
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):
        return ""
    return real.replace("\\", "/") if _WINDOWS else real


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path) if path else None
    except (OSError, ValueError):
        return None


def _is_regular(path: str) -> bool:
    state = _lstat(path)
    return state is not None and stat.S_ISREG(state.st_mode)
