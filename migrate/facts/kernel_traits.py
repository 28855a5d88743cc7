"""What a kernel asks for: by the compiler's instances of it, else as far as its text tells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from migrate.model.facts import FileFacts, Function
from migrate.model.kernel import KernelSize, KernelTraits
from migrate.model.semantic import KernelInstance

_BOUNDS = re.compile(r"_*launch_bounds_*\((.*)\)")
_NUMBER = re.compile(r"[0-9]+")

KernelPlace = tuple[str, int, str]
"""A kernel's path, line and name: the same whatever key a unit has for it."""


def traits_by_place(kernels: Iterable[KernelInstance]) -> dict[KernelPlace, KernelTraits]:
    """What the compiler knows of each kernel, its instances together."""
    groups: dict[KernelPlace, list[KernelInstance]] = defaultdict(list)
    for one in kernels:
        groups[one.path, one.line, one.name].append(one)
    return {place: _together(instances) for place, instances in groups.items()}


def _together(instances: Sequence[KernelInstance]) -> KernelTraits:
    sizes: dict[str, int] = {}
    for one in instances:
        sizes[one.arguments] = max(sizes.get(one.arguments, -1), one.static_shared)
    return KernelTraits(
        sizes=tuple(
            KernelSize(arguments, size if size >= 0 else None)
            for arguments, size in sorted(sizes.items())
        ),
        dynamic_shared=any(one.dynamic_shared for one in instances),
        launch_bounds=_largest([one.launch_bounds for one in instances]),
        attributes=tuple(sorted({name for one in instances for name in one.attributes})),
    )


def _largest(bounds: Sequence[Sequence[int | None]]) -> tuple[int | None, ...]:
    """The largest value that is known at each place."""
    longest = max(map(len, bounds))
    at = ([one[place] for one in bounds if place < len(one)] for place in range(longest))
    return tuple(max((one for one in values if one is not None), default=None) for values in at)


def traits_of_tree(file: FileFacts, kernel: Function) -> KernelTraits:
    """What a kernel's text tells; what it calls is not looked at."""
    bounds = [match for one in kernel.attributes if (match := _BOUNDS.fullmatch(one))]
    values = _split(bounds[0][1]) if bounds else []
    return KernelTraits(
        dynamic_shared=any(
            one.dynamic and kernel.line <= one.line <= kernel.end_line for one in file.shared
        ),
        launch_bounds=tuple(int(one) if _NUMBER.fullmatch(one) else None for one in values),
        attributes=tuple(
            sorted(one.partition("(")[0] for one in kernel.attributes if not _BOUNDS.fullmatch(one))
        ),
    )


def _split(text: str) -> list[str]:
    """The parts between a list's own commas, not those in brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts
