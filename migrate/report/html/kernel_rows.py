"""The report's table of kernels: what each asks for, and where a GPU of the target has less."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.knowledge.archs import known_archs
from migrate.model.assessment import Assessment
from migrate.model.kernel import KernelRow, LaunchPlace
from migrate.report.html.places import Linker, Place, PlaceLines, Shown
from migrate.report.numbers import count, plural

_UNKNOWN = "not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelView:
    """A kernel as the page shows it; ``static_shared`` is -1 where it is not known."""

    name: str
    place: Place
    attributes: str
    static_shared: int
    static_words: str
    instances: str
    over: str
    dynamic: bool
    bounds: str
    threads: int
    launches: int
    launched_from: tuple[PlaceLines, ...]
    launches_left: int


@dataclass(frozen=True, slots=True)
class KernelTable:
    """The kernels with most static shared memory first, and how many of them are over a limit."""

    rows: tuple[KernelView, ...]
    shown: Shown
    over: int


def kernel_table(assessment: Assessment, linker: Linker) -> KernelTable:
    """Rank, cap and link the kernels of an assessment."""
    archs = assessment.target.archs
    kernels = sorted(assessment.kernels, key=_order)
    shown = kernels[: linker.limits.kernels]
    return KernelTable(
        rows=tuple(_view(row, archs, linker) for row in shown),
        shown=Shown(len(shown), len(kernels)),
        over=sum(bool(over_limit(row.traits.static_shared, archs)) for row in kernels),
    )


def over_limit(static_shared: int | None, archs: Sequence[str]) -> str:
    """``over the 64 KiB of gfx942``, with every GPU that gives a workgroup less; "" for none."""
    over: defaultdict[int, list[str]] = defaultdict(list)
    for name in archs:
        arch = known_archs().get(name.partition(":")[0])
        if arch is not None and (static_shared or 0) > arch.lds_kib * 1024:
            over[arch.lds_kib].append(name)
    parts = [f"the {kib} KiB of {', '.join(names)}" for kib, names in sorted(over.items())]
    return f"over {' and '.join(parts)}" if parts else ""


def _order(row: KernelRow) -> tuple[int, str, int, str]:
    size = row.traits.static_shared
    return (-1 if size is None else size) * -1, row.path, row.line, row.name


def _view(row: KernelRow, archs: Sequence[str], linker: Linker) -> KernelView:
    traits = row.traits
    size = traits.static_shared
    launches: list[LaunchPlace] = list(row.launched_from)
    bounds = traits.launch_bounds
    return KernelView(
        name=row.name,
        place=linker.place(row.path, row.line),
        attributes=", ".join(traits.attributes),
        static_shared=-1 if size is None else size,
        static_words=_UNKNOWN if size is None else count(size),
        instances=plural(len(traits.sizes), "instance") if len(traits.sizes) > 1 else "",
        over=over_limit(size, archs),
        dynamic=traits.dynamic_shared,
        bounds=", ".join("?" if one is None else count(one) for one in bounds),
        threads=(bounds[0] if bounds else 0) or 0,
        launches=len(launches),
        launched_from=linker.by_file(
            (one.path, one.line) for one in launches[: linker.limits.places]
        ),
        launches_left=max(0, len(launches) - linker.limits.places),
    )
