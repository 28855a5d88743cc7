"""What units say of functions, calls, kernels, warps, tiles and lanes, joined over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import chain
from typing import TypeVar

from migrate.model.semantic import (
    CallEdge,
    FunctionNode,
    KernelInstance,
    LaneArithmetic,
    Program,
    TileSize,
    UnitFacts,
    WarpCall,
)
from migrate.model.verdict import Side

_Entry = TypeVar("_Entry", CallEdge, KernelInstance, WarpCall, TileSize, LaneArithmetic)
_Values = tuple[Hashable | None, ...]
"""What an entry knows of its place; None where it knows nothing."""
_SIDES = (Side.UNKNOWN, Side.HOST, Side.DEVICE, Side.BOTH)
"""From what a unit without device code sees of a function to what one with it sees."""


def join_program(units: Sequence[UnitFacts]) -> Program:
    """Join what units say of the program, whatever their order.

    A header that many units include counts once. An entry that knows more than another of the same
    place replaces it; values that differ are all kept.
    """
    return Program(
        functions=_functions(chain.from_iterable(unit.functions for unit in units)),
        calls=_joined((unit.calls for unit in units), _call),
        kernels=join_kernels(units),
        warp_calls=_joined((unit.warp_calls for unit in units), _warp_call),
        tile_sizes=_joined((unit.tile_sizes for unit in units), _whole),
        lane_arithmetic=_joined((unit.lane_arithmetic for unit in units), _whole),
    )


def join_kernels(units: Iterable[UnitFacts]) -> tuple[KernelInstance, ...]:
    """The kernels of all units, without the templates of which some unit has instances."""
    kernels = _joined((unit.kernels for unit in units), _kernel)
    instances = {(one.key, one.path, one.line) for one in kernels if one.arguments}
    return tuple(
        one for one in kernels if one.arguments or (one.key, one.path, one.line) not in instances
    )


def _functions(nodes: Iterable[FunctionNode]) -> tuple[FunctionNode, ...]:
    """The best node of each function at each place; declarations where nobody has the body."""
    best: dict[tuple[str, str, int], FunctionNode] = {}
    for node in nodes:
        place = (node.key, node.path, node.line)
        known = best.get(place)
        if known is None or _rank(node) > _rank(known):
            best[place] = node
    defined = {node.key for node in best.values() if node.defined}
    kept = (node for node in best.values() if node.defined or node.key not in defined)
    return tuple(sorted(kept, key=lambda node: (node.path, node.line, node.key)))


def _rank(node: FunctionNode) -> tuple[bool, bool, int, str]:
    return node.defined, node.kernel, _SIDES.index(node.side), node.name


def _joined(
    tables: Iterable[Iterable[_Entry]], parts: Callable[[_Entry], tuple[Hashable, _Values]]
) -> tuple[_Entry, ...]:
    """The entries of all units that no other entry of their place says more than, in order."""
    by_place: dict[Hashable, dict[_Values, _Entry]] = defaultdict(dict)
    for entry in chain.from_iterable(tables):
        place, values = parts(entry)
        by_place[place].setdefault(values, entry)
    kept = [
        group[values]
        for group in by_place.values()
        for values in (_most_telling(group) if len(group) > 1 else group)
    ]
    return tuple(sorted(kept, key=_order))


def _most_telling(group: Iterable[_Values]) -> Iterator[_Values]:
    """The rows of values that are no part of a row that knows the same and more.

    Rows are compared by which of their values are known, so that many rows cost little.
    """
    alike: dict[frozenset[int], list[_Values]] = defaultdict(list)
    for values in group:
        known = frozenset(place for place, value in enumerate(values) if value is not None)
        alike[known].append(values)
    for known, rows in alike.items():
        places = sorted(known)
        more = {
            tuple(values[place] for place in places)
            for others, richer in alike.items()
            if known < others
            for values in richer
        }
        for values in rows:
            if tuple(values[place] for place in places) not in more:
                yield values


def _call(edge: CallEdge) -> tuple[Hashable, _Values]:
    place = (edge.caller, edge.kind, edge.path, edge.line, edge.column)
    return place, (edge.callee or None, edge.arguments or None)


def _kernel(one: KernelInstance) -> tuple[Hashable, _Values]:
    """A size that a unit cannot tell is none; one that misses a body sees no dynamic memory."""
    place = (
        one.key,
        one.name,
        one.path,
        one.line,
        one.column,
        one.arguments,
        one.attributes,
        len(one.launch_bounds),
    )
    size = one.static_shared if one.static_shared >= 0 else None
    return place, (size, one.dynamic_shared or None, *one.launch_bounds)


def _warp_call(call: WarpCall) -> tuple[Hashable, _Values]:
    place = (call.symbol, call.path, call.line, call.column, call.function)
    return place, (call.mask, call.mask_bits or None, call.width, call.result_bits or None)


def _whole(entry: TileSize | LaneArithmetic) -> tuple[Hashable, _Values]:
    return entry, ()


def _order(entry: _Entry) -> tuple[Hashable, ...]:
    """By place, then by all that an entry says; what is not known comes first."""
    values: list[object] = [getattr(entry, one.name) for one in fields(entry)]
    return entry.path, entry.line, entry.column, *map(_sortable, values)


def _sortable(value: object) -> tuple[Hashable, ...]:
    if value is None:
        return (0,)
    return (1, tuple(map(_sortable, value)) if isinstance(value, tuple) else value)
