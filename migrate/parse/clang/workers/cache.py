"""Results of earlier runs: a unit that is as it was, with all that it read, is not read again."""

from __future__ import annotations

import hashlib
import json
import sys
import time
import zlib
from functools import cache
from pathlib import Path

from migrate.knowledge.files import data_path
from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.folder import Folder
from migrate.parse.clang.workers.footprint import (
    FileStates,
    Footprint,
    include_folders,
    own_folders,
)
from migrate.parse.clang.workers.stored import from_plain, to_plain
from migrate.treefile import system_path

_LEVEL = 3
"""Of compression: the default takes thrice the time for a tenth of the size."""
_CODE = ("model", "knowledge", "parse")


class UnitCache:
    """Results in a folder, for one run; see :func:`migrate.parse.clang.workers.folder.open_folder`.

    A result is found again where everything that it rests on is the same: this tool and its
    tables, libclang (``clang_version``), the task, the content of the tree's files, size and time
    of the others, and what headers lie in the folders searched. What cannot be read or written
    is no result, never an error.
    """

    def __init__(self, folder: Folder, clang_version: str) -> None:
        self._folder = folder
        self._states = FileStates(time.time_ns())
        self._base = (own_fingerprint(), clang_version, sys.byteorder)

    def find(self, task: UnitTask) -> UnitFacts | None:
        """The result of an earlier run, None where there is none that holds."""
        key = self._key(task)
        data = self._folder.read(key) if key else b""
        if not data:
            return None
        try:
            head, _, body = zlib.decompress(data).partition(b"\n")
            footprint = from_plain(Footprint, json.loads(head))
            facts = (
                from_plain(UnitFacts, json.loads(body)) if self._states.holds(footprint) else None
            )
        except (ValueError, TypeError, KeyError, IndexError, RecursionError, zlib.error):
            self._folder.remove(key)
            return None
        if facts:
            self._folder.touch(key)
        return facts

    def store(self, task: UnitTask, result: UnitResult) -> None:
        """Keep a result of this run; not a failed one, nor where it is not told what it read."""
        key = self._key(task)
        if not key or not result.opened or result.facts.outcome is Outcome.FAILED:
            return
        footprint = self._footprint(task, result)
        if footprint is None:
            return
        lines = (to_plain(footprint), to_plain(result.facts))
        text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
        self._folder.write(key, zlib.compress(text.encode("ascii"), _LEVEL))

    def trim(self) -> None:
        """Let go of the oldest results where they take more than the folder may hold."""
        self._folder.trim()

    def _footprint(self, task: UnitTask, result: UnitResult) -> Footprint | None:
        folders = include_folders(task.arguments)
        far = {*task.toolkit.include, *own_folders(task.arguments)}
        near = [folder for folder in folders if folder not in far]
        return self._states.take(
            task.root,
            result.opened,
            result.facts.missing_headers,
            folders=near,
            far=sorted(far),
        )

    def _key(self, task: UnitTask) -> str:
        """The name of a task's result, "" where its main file cannot be read."""
        main = self._states.digest(f"{task.root}/{system_path(task.unit.path)}")
        if not main:
            return ""
        return _hash(json.dumps([self._base, main, to_plain(task)]).encode("ascii"))


@cache
def own_fingerprint() -> str:
    """A hash of the version, of our code that reads units and of the tables that it asks."""
    package = Path(__file__).parents[3]
    files = [package / "__init__.py", package / "treefile.py"]
    files += [path for part in _CODE for path in package.joinpath(part).rglob("*.py")]
    files += data_path("mappings").rglob("*.csv")
    digest = hashlib.sha256()
    for path in sorted(files):
        data = path.read_bytes()
        digest.update(f"\n{path.name} {len(data)}\n".encode("utf-8", "surrogateescape"))
        digest.update(data)
    return digest.hexdigest()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
