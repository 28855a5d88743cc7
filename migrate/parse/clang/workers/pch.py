"""CUDA's prelude precompiled: what the wrapper header includes is parsed once for many units."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from migrate.model.semantic import Outcome, UnitFacts
from migrate.model.unit import CompileArguments, Unit
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.folder import Folder
from migrate.parse.clang.workers.footprint import (
    FileStates,
    Footprint,
    include_folders,
    own_folders,
    within,
)
from migrate.parse.clang.workers.stored import from_plain, to_plain

WRAPPER = "__clang_cuda_runtime_wrapper.h"
_MAIN = "prelude.cu"
_MAIN_TIME = 1_000_000_000
_FORMAT = "1"
_WORTH_KEPT = 2
_WORTH_ONCE = 4
"""Units with the same prelude for which making it pays: it takes 0.9 s of processor time (10 MB)
and saves 0.8 s a unit; one that is kept serves the next runs too."""
_FOR_SERIALIZATION = 0x10
_FOLDERS = ("-iquote", "-idirafter", "-I")


@dataclass(frozen=True, slots=True)
class Prelude:
    """A precompiled header: a file's name, its hash, and what it rests on."""

    name: str
    digest: str
    footprint: Footprint

    @property
    def opened(self) -> tuple[str, ...]:
        """The headers in it, which libclang does not count among those that a unit reads."""
        return tuple(path for path, _, _ in self.footprint.outside)


class Preludes:
    """The precompiled preludes of one run.

    A unit uses one that was made with its own arguments, folders of headers aside, and only where
    these folders hold no header by a name that the prelude asks for: then it is parsed as without.

    Args:
        folder: where they are kept between runs; None for a folder of this run alone.
        clang_version: they are libclang's own format, of no use to another one.
    """

    def __init__(self, folder: Folder | None, clang_version: str) -> None:
        self._folder = folder
        self._temporary = ""
        self._version = clang_version
        self._states = FileStates(time.time_ns())
        self._known: dict[str, Prelude | None] = {}

    def wanted(self, tasks: Iterable[UnitTask]) -> list[UnitTask]:
        """What is to be made for these units, by :func:`make_prelude`, before they are read."""
        groups: defaultdict[tuple[str, ...], list[UnitTask]] = defaultdict(list)
        for task in tasks:
            groups[prelude_arguments(task)].append(task)
        groups.pop((), None)
        worth = _WORTH_ONCE if self._folder is None or self._temporary else _WORTH_KEPT
        pays = {group: of for group, of in groups.items() if len(of) >= worth}
        lacking = [group for group in pays if self._find(group) is None]
        if not lacking or not self._open():
            return []
        return [self._making(group, pays[group][0]) for group in lacking]

    def take(self, task: UnitTask, result: UnitResult) -> None:
        """Keep what was made; what cannot be used or written is let go."""
        key = self._key(task.arguments)
        self._known[key] = None
        with contextlib.suppress(OSError):
            self._known[key] = self._adopt(key, task, result)
        Path(task.output).unlink(missing_ok=True)

    def applied(self, task: UnitTask) -> tuple[UnitTask, tuple[str, ...]] | None:
        """A unit's task with its prelude precompiled, and what is in that; None without one."""
        group = prelude_arguments(task)
        found = self._find(group) if group else None
        if found is None or self._folder is None:
            return None
        kept = {*task.toolkit.include, *own_folders(task.arguments)}
        folders = [folder for folder in include_folders(task.arguments) if folder not in kept]
        if self._states.interferes(folders, found.footprint):
            return None
        place = task.arguments.index(WRAPPER)
        before, after = task.arguments[: place - 1], task.arguments[place + 1 :]
        path = str(self._folder.path / found.name)
        return replace(task, arguments=(*before, "-include-pch", path, *after)), found.opened

    def close(self) -> None:
        """Let go of a folder of this run alone, and of what was used longest ago in a kept one."""
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)
        elif self._folder is not None:
            self._folder.trim()

    def _open(self) -> bool:
        """See that there is a folder with the empty main file; False where there can be none."""
        try:
            if self._folder is None:
                self._temporary = tempfile.mkdtemp(prefix="hipassess-")
                self._folder = Folder(Path(self._temporary))
            main = self._folder.path / _MAIN
            if not main.exists():
                self._folder.write(_MAIN, b"\n")
                # Libclang checks it: a file made again has to look the same.
                os.utime(main, (_MAIN_TIME, _MAIN_TIME))
        except OSError:
            return False
        return True

    def _key(self, group: tuple[str, ...]) -> str:
        text = json.dumps([_FORMAT, self._version, group])
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def _making(self, group: tuple[str, ...], task: UnitTask) -> UnitTask:
        assert self._folder is not None  # noqa: S101 - opened before
        return UnitTask(
            unit=Unit(path=_MAIN, arguments=CompileArguments(), asks=()),
            root=str(self._folder.path),
            toolkit=task.toolkit,
            arguments=group,
            output=str(self._folder.new_name()),
        )

    def _adopt(self, key: str, task: UnitTask, result: UnitResult) -> Prelude | None:
        if result.facts.outcome is not Outcome.PARSED or self._folder is None:
            return None
        headers = [path for path in result.opened if not within(path, task.root)]
        far = include_folders(task.arguments)
        footprint = self._states.take(task.root, headers, (), folders=(), far=far)
        if footprint is None:
            return None
        digest = hashlib.sha256(Path(task.output).read_bytes()).hexdigest()
        # The hash in the name: another run that uses an older one keeps it.
        name = f"{key}-{digest[:16]}.pch"
        self._folder.adopt(Path(task.output), name)
        made = Prelude(name, digest, footprint)
        self._folder.write(f"{key}.json", json.dumps(to_plain(made)).encode("ascii"))
        return made

    def _find(self, group: tuple[str, ...]) -> Prelude | None:
        key = self._key(group)
        if key not in self._known:
            self._known[key] = self._load(key)
        return self._known[key]

    def _load(self, key: str) -> Prelude | None:
        data = self._folder.read(f"{key}.json") if self._folder else b""
        if not data or self._folder is None:
            return None
        try:
            found = from_plain(Prelude, json.loads(data))
        except (ValueError, TypeError, RecursionError):
            return None
        path = str(self._folder.path / found.name)
        if self._states.digest(path) != found.digest or not self._states.holds(found.footprint):
            return None
        for name in (found.name, f"{key}.json"):
            self._folder.touch(name)
        return found


def prelude_arguments(task: UnitTask) -> tuple[str, ...]:
    """The arguments that CUDA's prelude is parsed with in a unit, () for one without it.

    Every macro counts: which of them the prelude's headers ask for is not known. Folders of the
    unit do not, being looked through for its headers.
    """
    kept = {*task.toolkit.include, *own_folders(task.arguments)}
    found: list[str] = []
    forced: list[str] = []
    rest = iter(task.arguments)
    for one in rest:
        if one == "-include":
            forced.append(next(rest, ""))
        elif one == "-isystem":
            folder = next(rest, "")
            found += [one, folder] if folder in kept else []
        elif one in _FOLDERS:
            next(rest, "")
        elif not one.startswith(_FOLDERS):
            found.append(one)
    usual = forced[:1] == [WRAPPER] and not task.toolkit.lacking and not task.fewer
    return (*found, "-include", WRAPPER) if usual else ()


def make_prelude(task: UnitTask) -> UnitResult:
    """Parse a prelude and save it; runs in a worker.

    One with errors is none: what it lacks may be what a unit's own folders have.
    """
    from clang import cindex  # noqa: PLC0415 - in workers only

    from migrate.parse.clang.unit import ParsedUnit  # noqa: PLC0415

    unit = cindex.TranslationUnit
    # The record of macros has to be in it, else a unit's macro uses are not seen either.
    options = unit.PARSE_DETAILED_PROCESSING_RECORD | unit.PARSE_INCOMPLETE | _FOR_SERIALIZATION
    facts = UnitFacts(path=task.unit.path, outcome=Outcome.FAILED)
    try:
        handle = cindex.Index.create().parse(
            f"{task.root}/{task.unit.path}", list(task.arguments), options=options
        )
        parsed = ParsedUnit(handle, task.root)
        if parsed.errors or parsed.missing_headers:
            return UnitResult(facts)
        handle.save(task.output)
    except (cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError):
        return UnitResult(facts)
    return UnitResult(replace(facts, outcome=Outcome.PARSED), parsed.included)
