"""A tree's ``compile_commands.json``: found, read within limits, one command a file."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from migrate.discover.command_line import is_windows_command, split_command
from migrate.discover.command_words import TooManyArgumentsError
from migrate.discover.flags import CommandReader
from migrate.discover.gathered_flags import ReadCommand
from migrate.discover.moved import find_move
from migrate.discover.places import Places, clean_path
from migrate.errors import AssessError
from migrate.model.unit import CompileCommand, CompileDatabase
from migrate.treefile import decode_text, printable_path

_NAME = "compile_commands.json"
_FOLDERS = ("build*", "out*", "cmake-build-*")
_LIMIT = 64 << 20
_MOST_ENTRIES = 100_000
_MOST_BRACKETS = 1 << 20
"""More in so small a file are a bomb for the memory: an entry has two, and few in its text."""

OUTSIDE = "outside the scanned folder"
NOT_THERE = "the file is not there"
NO_ENTRY = "no file or no command in it"
UNCLOSED = "a quotation is not closed"
TOO_LONG = "too many arguments"
TOO_MANY = f"beyond the first {_MOST_ENTRIES:,} entries"
HIP = "compiled as HIP"
OTHER = "neither C, C++ nor CUDA"
AGAIN = "another command of a file"
STEP = "a step that nvcc starts itself"
_STEP_MACRO = "-D__CUDACC_VER_BUILD__="
"""Nvcc hands this to the host's compiler; tools that watch a build (Bear) record such steps too."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry as written; ``file`` is absolute and normalised, ``words`` its command."""

    file: str
    directory: str
    words: str | Sequence[str]


def find_compile_database(root: str) -> Path | None:
    """Return a tree's compile database: in its root, else in a build folder there, else None.

    Build folders are ``build*``, then ``out*``, then ``cmake-build-*``, each in order of name. No
    link is followed.
    """
    return next((path for path in _candidates(root) if _is_regular(path)), None)


def _candidates(root: str) -> Iterator[Path]:
    yield Path(root, _NAME)
    try:
        with os.scandir(root) as listing:
            names = sorted(one.name for one in listing if one.is_dir(follow_symlinks=False))
    except OSError:
        return
    for pattern in _FOLDERS:
        yield from (Path(root, name, _NAME) for name in names if fnmatchcase(name, pattern))


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read_compile_database(
    file: Path, root: str, *, toolkits: Sequence[str] = (), named: bool = False
) -> CompileDatabase:
    """Read what a compile database says of the files below ``root``.

    ``toolkits`` are include folders of CUDA toolkits known otherwise; ``named`` says that the
    user named the file. Where not one entry's file is in the tree, the build ran elsewhere (a
    container, a moved folder). Then the longest end of each path that the tree has is looked for
    (of ``/build/app/src/k.cu`` it may have ``src/k.cu``); what stands before it, ``/build/app``, is
    what the tree was called there. The name that explains most files, and at least half of those
    below it, is replaced in all paths of the commands.

    Raises:
        AssessError: a file that the user named cannot be read or is no compile database. One that
            was found is without commands then, and ``left_out`` says why.
    """
    shown = _shown(file, root)
    try:
        entries = _load(file, named=named)
    except _UnreadableError as error:
        if named:
            raise AssessError(
                f"{printable_path(str(file))}: {error}",
                hint="Name the compile_commands.json that CMake, Bear or another build tool wrote.",
                slug="compile-commands",
            ) from None
        return CompileDatabase(path=shown, left_out={str(error): 1})
    return _Reader(file, root, toolkits).read(entries, shown)


class _UnreadableError(Exception):
    """The file is no compile database that can be read; the text says why."""


def _load(file: Path, *, named: bool) -> list[object]:
    data = _bytes_of(file, named=named)
    if data.count(b"[") + data.count(b"{") > _MOST_BRACKETS:
        raise _UnreadableError("too many lists and objects in it")
    try:
        entries = json.loads(decode_text(data))
    except RecursionError:
        raise _UnreadableError("nested too deeply") from None
    except ValueError:
        raise _UnreadableError("no valid JSON") from None
    if not isinstance(entries, list):
        raise _UnreadableError("not a list of commands")
    return entries


def _bytes_of(file: Path, *, named: bool) -> bytes:
    """Read the file; a link is followed only where the user named it."""
    try:
        state = file.stat(follow_symlinks=named)
        if not stat.S_ISREG(state.st_mode):
            raise _UnreadableError("not a regular file")
        if state.st_size > _LIMIT:
            raise _UnreadableError(f"larger than {_LIMIT >> 20} MB")
        with file.open("rb") as stream:
            return stream.read(_LIMIT)
    except (OSError, ValueError):
        raise _UnreadableError("it cannot be read") from None


def _shown(file: Path, root: str) -> str:
    """Return the file's path relative to the root, its name where there is no such path."""
    try:
        return printable_path(os.path.relpath(file, root).replace(os.sep, "/"))
    except ValueError:
        return printable_path(file.name)


class _Reader:
    """Turns entries into commands; what is left out is counted by reason."""

    def __init__(self, file: Path, root: str, toolkits: Sequence[str]) -> None:
        self._folder = clean_path(os.path.realpath(file.parent))
        self._toolkits = toolkits
        self._places = Places(root, toolkits=toolkits)
        self._left_out: Counter[str] = Counter()

    def read(self, given: Sequence[object], shown: str) -> CompileDatabase:
        entries = list(self._entries(given))
        located = [self._places.in_tree(entry.file) for entry in entries]
        if entries and not any(located):
            moved = find_move([entry.file for entry in entries], self._places.root, self._folder)
            if moved is not None:
                self._places = Places(self._places.root, toolkits=self._toolkits, moved=moved)
                located = [self._places.in_tree(self._here(entry)) for entry in entries]
        commands = self._commands(zip(located, entries, strict=True))
        return CompileDatabase(
            path=shown,
            commands=tuple(commands[path] for path in sorted(commands)),
            left_out=dict(sorted(self._left_out.items())),
        )

    def _here(self, entry: _Entry) -> str:
        return self._places.absolute(entry.file, "")

    def _entries(self, given: Sequence[object]) -> Iterator[_Entry]:
        for one in given[:_MOST_ENTRIES]:
            entry = self._entry(one)
            if entry is None:
                self._left_out[NO_ENTRY] += 1
            else:
                yield entry
        if len(given) > _MOST_ENTRIES:
            self._left_out[TOO_MANY] = len(given) - _MOST_ENTRIES

    def _entry(self, given: object) -> _Entry | None:
        if not isinstance(given, dict):
            return None
        file, directory = given.get("file"), given.get("directory", "")
        words = given.get("arguments") or given.get("command")
        if not isinstance(file, str) or not isinstance(directory, str) or not words:
            return None
        if isinstance(words, list):
            if not all(isinstance(word, str) for word in words):
                return None
        elif not isinstance(words, str):
            return None
        directory = clean_path(directory, self._folder)
        return _Entry(clean_path(file, directory), directory, words)

    def _commands(self, entries: Iterable[tuple[str, _Entry]]) -> dict[str, CompileCommand]:
        reader = CommandReader(self._places)
        commands: dict[str, CompileCommand] = {}
        for path, entry in entries:
            if not path:
                here = self._places.holds(self._here(entry))
                self._left_out[NOT_THERE if here else OUTSIDE] += 1
            elif (shown := printable_path(path)) in commands:
                self._left_out[AGAIN] += 1
            else:
                command = self._command(reader, shown, entry)
                if command is not None:
                    commands[shown] = command
        return commands

    def _command(self, reader: CommandReader, path: str, entry: _Entry) -> CompileCommand | None:
        directory = self._places.absolute(entry.directory, "")
        try:
            words, windows = _split(entry)
            command = reader.read(words, directory, file=path, windows=windows)
        except TooManyArgumentsError:
            self._left_out[TOO_LONG] += 1
        except ValueError:
            self._left_out[UNCLOSED] += 1
        else:
            reason = _unusable(command)
            if not reason:
                return CompileCommand(path=path, arguments=command.arguments)
            self._left_out[reason] += 1
        return None


def _unusable(command: ReadCommand) -> str:
    """Return why a command tells nothing of a parse as CUDA, C++ or C; "" if it does."""
    if command.language == "hip":
        return HIP
    if command.language not in {"cuda", "c++", "c"}:
        return OTHER
    step = any(macro.startswith(_STEP_MACRO) for macro in command.arguments.macros)
    return STEP if step else ""


def _split(entry: _Entry) -> tuple[Sequence[str], bool]:
    """Return a command's words, and whether it is one of Windows'."""
    if isinstance(entry.words, str):
        windows = is_windows_command(entry.words) or is_windows_command(entry.directory)
        return split_command(entry.words, windows=windows), windows
    return entry.words, is_windows_command(entry.words[0]) or is_windows_command(entry.directory)
