"""Headers of a project that wrap CUDA's names in names of its own: where a port has its lever."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from migrate.model.assessment import CompatibilityLayer
from migrate.model.facts import AliasKind, FileFacts
from migrate.model.semantic import EdgeKind, Program, UnitFacts
from migrate.model.verdict import State

_LEAST_NAMES = 5
"""A file with fewer wraps something or other, and is no layer that the code is written against."""
_FOR_CUDA = frozenset({State.ACTIVE, State.PORTED})
_CALLS = frozenset({EdgeKind.CALL, EdgeKind.VIRTUAL})
_Place = tuple[str, int]


def find_layers(
    files: Sequence[FileFacts],
    units: Sequence[UnitFacts],
    program: Program,
    third_party: Collection[str],
) -> tuple[CompatibilityLayer, ...]:
    """List the files that define names of their own for CUDA's, those with most names first.

    A name is one that stands for one CUDA name and does nothing else. It is ported where the same
    conditional has a branch for HIP, or where it is HIP's own name.

    Args:
        files: the files of the tree.
        units: what the compiler says of the files that it read.
        program: what all units together say of calls.
        third_party: the paths of others' code.
    """
    read = {path for unit in units for path in unit.includes}
    calls = _calls(program)
    layers = []
    for file in files:
        names = {} if file.hip or file.path in third_party else _names(file)
        if len(names) >= _LEAST_NAMES:
            layers.append(
                CompatibilityLayer(
                    path=file.path,
                    names=len(names),
                    ported=sum(names.values()),
                    expansions=_uses(file, calls) if file.path in read else None,
                )
            )
    return tuple(sorted(layers, key=lambda layer: (-layer.names, layer.path)))


def _names(file: FileFacts) -> dict[str, bool]:
    """The file's own names for CUDA's, and whether each is mapped for HIP already."""
    names: dict[str, bool] = {}
    for name, state in _found(file):
        if state in _FOR_CUDA:
            ported = state is State.PORTED or name.lower().startswith("hip")
            names[name] = names.get(name, True) and ported
    return names


def _found(file: FileFacts) -> Iterator[tuple[str, State]]:
    yield from ((macro.name, macro.state) for macro in file.macros if macro.alias)
    yield from ((one.name, one.state) for one in file.aliases)


def _uses(file: FileFacts, calls: Counter[_Place]) -> int:
    """The places that use a file's macros and functions; those of types nobody counts."""
    macros = sum(macro.expansions for macro in file.macros if macro.alias)
    lines = {one.line for one in file.aliases if one.kind is AliasKind.FUNCTION}
    return macros + sum(calls[file.path, line] for line in lines)


def _calls(program: Program) -> Counter[_Place]:
    """How many places call the functions that are defined at a place."""
    places: dict[str, set[_Place]] = defaultdict(set)
    for node in program.functions:
        places[node.key].add((node.path, node.line))
    called: Counter[_Place] = Counter()
    for edge in program.calls:
        if edge.kind in _CALLS:
            called.update(places.get(edge.callee, ()))
    return called
