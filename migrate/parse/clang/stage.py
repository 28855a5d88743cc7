"""Units handed to workers with all that they need, and their facts handed back in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrate.model.semantic import UnitFacts
from migrate.model.unit import Toolkit, Unit
from migrate.parse.clang.library import standard_library_arguments
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.unit import clang_arguments
from migrate.parse.clang.workers.cache import UnitCache
from migrate.parse.clang.workers.folder import Folder, FolderError, cache_folder, open_folder
from migrate.parse.clang.workers.limits import Limits
from migrate.parse.clang.workers.pch import Preludes
from migrate.parse.clang.workers.pool import run_units

LIMITS = Limits()
"""What a unit may take; tests, which cannot wait for a hang, set it lower."""


def parse_units(
    units: Sequence[Unit],
    root: str,
    toolkit: Toolkit,
    *,
    own: frozenset[str],
    macros: tuple[tuple[str, str, int], ...],
    jobs: int,
    cached: bool,
    progress: Callable[[int], None],
) -> tuple[UnitFacts, ...]:
    """Parse units in worker processes; one that fails says why and costs itself alone.

    Args:
        units: what to parse.
        root: the absolute folder of the tree.
        toolkit: where CUDA's headers lie.
        own: keys of the libraries that the tree is itself.
        macros: the project's macros with CUDA names in them: name, path and line.
        jobs: worker processes; 0 takes one a usable processor.
        cached: whether results are kept for later runs and taken from earlier ones.
        progress: called with the number of units done since the last call.
    """
    libclang = load_libclang()
    tasks = unit_tasks(units, root, toolkit, own=own, macros=macros)
    results = _folder("units") if cached else None
    return tuple(
        run_units(
            tasks,
            jobs=jobs,
            cache=UnitCache(results, libclang.version) if results else None,
            preludes=Preludes(_folder("pch") if cached else None, libclang.version),
            progress=progress,
            limits=LIMITS,
            read=read,
        )
    )


def unit_tasks(
    units: Sequence[Unit],
    root: str,
    toolkit: Toolkit,
    *,
    own: frozenset[str] = frozenset(),
    macros: tuple[tuple[str, str, int], ...] = (),
) -> list[UnitTask]:
    """What workers are given, in the order of the units; see :func:`parse_units`."""
    libclang = load_libclang()
    library = standard_library_arguments()
    return [
        UnitTask(
            unit=unit,
            root=root,
            toolkit=toolkit,
            arguments=tuple(clang_arguments(unit.arguments, toolkit, libclang, library)),
            own=own,
            macros=macros,
        )
        for unit in units
    ]


def read(task: UnitTask) -> UnitResult:
    """Read one unit, in a worker: a run whose units are all known loads nothing of what reads."""
    from migrate.parse.clang.reader import read_unit  # noqa: PLC0415

    return read_unit(task)


def _folder(part: str) -> Folder | None:
    """A part of the user's cache folder; None where there is none to write to."""
    try:
        return open_folder(cache_folder(), part)
    except FolderError:
        return None
