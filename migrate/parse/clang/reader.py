"""One unit read: parsed, walked once, and what every observer gathered put together."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.declarations import Declarations
from migrate.parse.clang.names import NameObserver, SourceText
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.unit import ParsedUnit, UnitError, parse_unit
from migrate.parse.clang.walk import TreeFiles, walk_unit
from migrate.parse.vocabulary import load_vocabulary
from migrate.treefile import printable_path, read_regular_file


def read_unit(task: UnitTask) -> UnitResult:
    """Read one unit; what is wrong with it is in its facts. Runs in a worker."""
    failed = UnitFacts(path=task.unit.path, outcome=Outcome.FAILED)
    libclang = load_libclang()
    try:
        unit = parse_unit(task.unit.path, task.root, task.arguments)
    except UnitError as error:
        return UnitResult(replace(failed, reason=str(error)))
    opened = unit.included
    strays = _strays(opened, task, str(libclang.resources))
    if strays:
        reason = (
            f"it includes what lies outside of the tree and of every include folder: {strays[0]}"
        )
        return UnitResult(replace(failed, reason=reason), opened)
    return UnitResult(_facts(unit, task, str(libclang.resources)), opened)


def _facts(unit: ParsedUnit, task: UnitTask, resources: str) -> UnitFacts:
    files = TreeFiles(unit, task.unit.asks)
    vocabulary = load_vocabulary(task.own)
    declarations = Declarations(task.root, task.toolkit, resources, vocabulary, task.own)
    names = NameObserver(files, _texts(task), declarations, task.macros)
    walk_unit(unit, files, (names,))
    doubtful = unit.errors or unit.missing_headers
    return UnitFacts(
        path=task.unit.path,
        outcome=Outcome.PARTIAL if doubtful else Outcome.PARSED,
        errors=unit.errors,
        missing_headers=unit.missing_headers,
        includes=_in_tree(unit.included, task.root),
        answers=names.finish(),
    )


def _texts(task: UnitTask) -> dict[str, SourceText]:
    """The files that the unit answers for; one that cannot be read gets no answers."""
    texts = {}
    for path in task.unit.asks:
        try:
            texts[path] = SourceText.of(read_regular_file(task.root, path))
        except OSError:
            continue
    return texts


def _in_tree(opened: tuple[str, ...], root: str) -> tuple[str, ...]:
    prefix = f"{root.rstrip(os.sep)}{os.sep}"
    found = (os.path.normpath(name) for name in opened)
    return tuple(
        dict.fromkeys(
            printable_path(name.removeprefix(prefix).replace(os.sep, "/"))
            for name in found
            if name.startswith(prefix)
        )
    )


def _strays(opened: tuple[str, ...], task: UnitTask, resources: str) -> list[str]:
    """Files that a unit read although it has no business there: a link or ``..`` led out.

    Allowed are the tree, the folders of its command, CUDA's and clang's headers and the system's
    own. The names are those under which the unit opened them.
    """
    arguments = task.unit.arguments
    allowed = [
        os.path.realpath(folder) + os.sep
        for folder in (
            task.root, str(Path(resources).parent), *task.toolkit.include,
            *arguments.include, *arguments.quote, *arguments.system, *_SYSTEM,
        )
    ]  # fmt: skip
    allowed += [os.path.realpath(file) for file in arguments.forced]
    return [name for name in opened if not os.path.realpath(name).startswith(tuple(allowed))]


_SYSTEM = ("/usr/include", "/usr/lib/gcc", "/usr/local/include", "/usr/lib/clang")
