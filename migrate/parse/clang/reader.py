"""One unit read: parsed, walked once, and what every observer gathered put together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from migrate.knowledge.headers import library_of_header
from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.kernels.calls import CallObserver
from migrate.parse.clang.kernels.kernels import KernelObserver
from migrate.parse.clang.lanes.instances import Instances
from migrate.parse.clang.lanes.lanes import LaneObserver
from migrate.parse.clang.lanes.warps import WarpObserver
from migrate.parse.clang.library import standard_library_arguments
from migrate.parse.clang.names.declarations import Declarations
from migrate.parse.clang.names.names import NameObserver, SourceText
from migrate.parse.clang.native import Libclang, load_libclang
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.unit import NOT_UTF8, ParsedUnit, UnitError, clang_arguments, parse_unit
from migrate.parse.clang.walk import TreeFiles, walk_unit
from migrate.parse.vocabulary import load_vocabulary
from migrate.treefile import printable_path, read_regular_file


def read_unit(task: UnitTask) -> UnitResult:
    """Read one unit; what is wrong with it is in its facts. Runs in a worker."""
    failed = UnitFacts(path=task.unit.path, outcome=Outcome.FAILED)
    libclang = load_libclang()
    arguments = _fewer(task, libclang) if task.fewer else task.arguments
    try:
        unit = parse_unit(task.unit.path, task.root, arguments)
        opened = unit.included
    except UnitError as error:
        return UnitResult(replace(failed, reason=str(error)))
    except UnicodeDecodeError:  # of a header's path; texts are translated by clang
        return UnitResult(replace(failed, reason=NOT_UTF8))
    strays = _strays(opened, task, str(libclang.resources))
    if strays:
        name = printable_path(Path(strays[0]).name)
        reason = f"it includes {name}, which lies outside of the tree and of every include folder"
        return UnitResult(replace(failed, reason=reason), opened)
    return UnitResult(_facts(unit, task, str(libclang.resources)), opened)


def _fewer(task: UnitTask, libclang: Libclang) -> Sequence[str]:
    """The arguments without what a command or guess adds beside folders."""
    bare = replace(task.unit.arguments, macros=(), forced=(), standard="")
    return clang_arguments(bare, task.toolkit, libclang, standard_library_arguments())


def _facts(unit: ParsedUnit, task: UnitTask, resources: str) -> UnitFacts:
    files = TreeFiles(unit, task.unit.asks)
    vocabulary = load_vocabulary(task.own)
    declarations = Declarations(
        task.root,
        task.toolkit,
        resources,
        vocabulary,
        own=task.own,
        absent=frozenset(filter(None, map(library_of_header, unit.missing_headers))),
        read=_libraries_read(unit, task),
    )
    names = NameObserver(files, _texts(task), declarations, task.macros)
    calls = CallObserver(unit, files)
    kernels = KernelObserver(unit, files, calls.bodies)
    instances = Instances(files)
    warps = WarpObserver(unit, files, instances)
    lanes = LaneObserver(unit, files, instances)
    walk_unit(unit, files, (names, calls, kernels, instances, warps, lanes))
    functions, edges = calls.finish()
    warp_calls, tile_sizes = warps.finish()
    doubtful = unit.errors or unit.missing_headers
    return UnitFacts(
        path=task.unit.path,
        outcome=Outcome.PARTIAL if doubtful else Outcome.PARSED,
        errors=unit.errors,
        missing_headers=unit.missing_headers,
        includes=_in_tree(unit.included, task.root),
        answers=names.finish(),
        functions=functions,
        calls=edges,
        kernels=kernels.finish(),
        warp_calls=warp_calls,
        tile_sizes=tile_sizes,
        lane_arithmetic=lanes.finish(),
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


def _libraries_read(unit: ParsedUnit, task: UnitTask) -> frozenset[str]:
    """The libraries of which the unit read a header; CUDA code has CUDA's own from the start."""
    found = {library_of_header(Path(name).name) for name in unit.included}
    found |= {
        library_of_header(name.removeprefix(f"{folder.rstrip(os.sep)}{os.sep}"))
        for folder in task.toolkit.include
        for name in unit.included
        if name.startswith(folder)
    }
    if task.unit.arguments.language == "cuda":
        found |= {"runtime", "driver", "device"}
    return frozenset(found)


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

    Allowed are the tree, every folder that the arguments name, and the system's headers. The names
    are those under which the unit opened the files. What a folder outside of the tree holds may be
    a link, as in a toolkit that a package manager put together; the tree's own may not lead out.
    """
    named = [word.removeprefix("-I").removeprefix("-iquote") for word in task.arguments]
    folders = (resources, *(word for word in named if word.startswith("/")), *_SYSTEM)
    real = {folder: os.path.realpath(folder) for folder in (task.root, *folders)}
    inside = tuple(f"{folder}{os.sep}" for folder in real.values())
    tree = f"{real[task.root]}{os.sep}"
    others = tuple(
        f"{os.path.normpath(folder)}{os.sep}"
        for folder in folders
        if not f"{real[folder]}{os.sep}".startswith(tree)
    )

    def is_allowed(name: str) -> bool:
        if os.path.normpath(name).startswith(others):
            return True
        found = os.path.realpath(name)
        return found.startswith(inside) or found in real.values()

    return [name for name in opened if not is_allowed(name)]


_SYSTEM = ("/usr/include", "/usr/lib/gcc", "/usr/local/include", "/usr/lib/clang")
