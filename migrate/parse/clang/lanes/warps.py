"""Calls of warp functions with the values of their masks and widths, and the sizes of tiles."""

from __future__ import annotations

import re
from functools import partial

from migrate.model.semantic import TileSize, WarpCall
from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    arguments,
    bare,
    children,
    file_place,
    integer_bits,
    is_own,
    referenced,
    spelling_place,
    type_kind,
)
from migrate.parse.clang.lanes.instances import Instances, Look
from migrate.parse.clang.lanes.receivers import Receivers
from migrate.parse.clang.lanes.warp_constants import portable_value
from migrate.parse.clang.unit import ParsedUnit
from migrate.parse.clang.walk import FunctionAt, TreeFiles

_WARP_FUNCTION = re.compile(
    r"__(shfl(_up|_down|_xor)?(_sync)?|(ballot|any|all)(_sync)?|activemask|match_(any|all)_sync"
    r"|reduce_\w+_sync|syncwarp)"
)
_LANE_MASKS = ("__ballot", "__activemask", "__match_")
_WIDTH_SYNC, _WIDTH = 3, 2
"""Which argument of a shuffle is its width."""
_PARTITION, _TILE = "tiled_partition", "thread_block_tile"
_CALL, _OVERLOADS = Kind.CALL_EXPR.value, Kind.OVERLOADED_DECL_REF.value
_NAME = Kind.DECL_REF_EXPR.value
_WRITTEN = frozenset({Kind.TEMPLATE_REF.value, Kind.TYPE_REF.value})
_VARIABLES = (Kind.VAR_DECL.value, Kind.PARM_DECL.value, Kind.FIELD_DECL.value)
_EXPRESSIONS = range(100, 200)
_RECORD, _REFERENCES = 105, frozenset({101, 103, 104})
_MAY_BE_TILES = frozenset({1, 107, 119, _RECORD, *_REFERENCES})
"""Numbers of type kinds: unexposed, typedef, elaborated, records, pointers and references."""
_Place = tuple[object, ...]


class WarpObserver:
    """Gathers the calls of warp functions and the tile sizes of a unit.

    Where instantiations of a template are met, its calls are theirs: one for each set of values.
    """

    def __init__(self, unit: ParsedUnit, files: TreeFiles, instances: Instances) -> None:
        self._root = unit.root
        self._files = files
        self._instances = instances
        self._receivers = Receivers()
        self._written: list[tuple[_Place, WarpCall]] = []
        self._of_instances: dict[_Place, set[WarpCall]] = {}
        self._tiles: set[TileSize] = set()
        self._typed: list[tuple[TileSize, int]] = []
        instances.add(self._looks(instance=True))

    @property
    def looks(self) -> dict[int, Look]:
        """What to call for a cursor, by the number of its kind."""
        return self._looks(instance=False)

    def finish(self) -> tuple[tuple[WarpCall, ...], tuple[TileSize, ...]]:
        """The calls and the tile sizes, in order of place."""
        self._instances.walk()
        calls = [one for place, one in self._written if place not in self._of_instances]
        calls += [one for many in self._of_instances.values() for one in many]
        made = {(one.path, one.line, one.size) for one in self._tiles}
        self._tiles.update(
            one
            for one, last in self._typed
            if not any((one.path, line, one.size) in made for line in range(one.line, last + 1))
        )
        return tuple(sorted(calls, key=_call_order)), tuple(sorted(self._tiles, key=_tile_order))

    def _looks(self, *, instance: bool) -> dict[int, Look]:
        see_call = partial(self._see_call, instance=instance)
        return {_CALL: see_call, **dict.fromkeys(_VARIABLES, self._see_variable)}

    def _see_call(self, call: Cursor, around: FunctionAt | None, *, instance: bool) -> None:
        name = call.spelling or _overloaded(call)
        if name == _PARTITION:
            self._see_partition(call, around)
        elif _WARP_FUNCTION.fullmatch(name):
            self._see_warp_call(call, around, name, instance=instance)

    def _see_warp_call(
        self, call: Cursor, around: FunctionAt | None, name: str, *, instance: bool
    ) -> None:
        if self._is_own(call):
            return
        file, line, column, _ = file_place(call)
        path = self._files.path(file)
        if not path:
            return
        mask, bits, width = _operands(name, arguments(call))
        receives = name.startswith(_LANE_MASKS) and around is not None
        found = WarpCall(
            symbol=name,
            path=path,
            line=line,
            column=column,
            function=around.name if around else "",
            mask=mask,
            mask_bits=bits,
            width=width,
            result_bits=self._receivers.bits(call, around.cursor) if receives and around else 0,
        )
        place = (path, line, column, *spelling_place(call)[1:])
        if instance:
            self._of_instances.setdefault(place, set()).add(found)
        else:
            self._written.append((place, found))

    def _see_partition(self, call: Cursor, around: FunctionAt | None) -> None:
        if self._is_own(call):
            return
        size = _template_argument(call)
        given = arguments(call)
        if size is None and len(given) > 1:
            size = portable_value(given[1])
        found = self._tile(call, around, size)
        if found:
            self._tiles.add(found)

    def _see_variable(self, variable: Cursor, around: FunctionAt | None) -> None:
        if type_kind(variable) not in _MAY_BE_TILES:
            return
        kind = variable.type.get_canonical()
        if kind._kind_id in _REFERENCES:  # noqa: SLF001
            kind = kind.get_pointee()
        if kind._kind_id != _RECORD:  # noqa: SLF001
            return
        record = kind.get_declaration()
        if record.spelling != _TILE or is_own(record, self._root):
            return
        if not any(one._kind_id in _WRITTEN for one in children(variable)):  # noqa: SLF001
            return
        found = self._tile(variable, around, int(record.get_template_argument_unsigned_value(0)))
        if found:
            self._typed.append((found, variable.extent.end.line))

    def _tile(self, at: Cursor, around: FunctionAt | None, size: int | None) -> TileSize | None:
        file, line, column, _ = file_place(at)
        path = self._files.path(file)
        if size is None or not path:
            return None
        function = around.name if around else ""
        return TileSize(path=path, line=line, column=column, function=function, size=size)

    def _is_own(self, call: Cursor) -> bool:
        """Whether what is called is the project's own function of such a name."""
        function = referenced(call)
        return function is not None and is_own(function, self._root)


def _operands(name: str, given: list[Cursor]) -> tuple[int | None, int, int | None]:
    """The mask with its bits, and the width."""
    mask, bits, width = None, 0, None
    synced = name.endswith("_sync") or name == "__syncwarp"
    if synced and given and not _is_default(given[0]):
        written = bare(given[0])
        mask, bits = portable_value(written), integer_bits(written.type)
        if mask is not None:
            mask %= 1 << (bits or 64)
    at = _WIDTH_SYNC if synced else _WIDTH
    if name.startswith("__shfl") and len(given) > at and not _is_default(given[at]):
        width = portable_value(given[at])
    return mask, bits, width


def _is_default(argument: Cursor) -> bool:
    """Whether an argument is not written: it stands nowhere."""
    return file_place(argument)[0] is None


def _overloaded(call: Cursor) -> str:
    """The name of what is called where it depends on template arguments which one that is."""
    inner = children(call)
    if not inner or inner[0]._kind_id != _NAME:  # noqa: SLF001
        return ""
    names = [one.spelling for one in children(inner[0]) if one._kind_id == _OVERLOADS]  # noqa: SLF001
    return str(names[0]) if names else ""


def _template_argument(call: Cursor) -> int | None:
    """The value of the first template argument that is written in a call's name."""
    inner = children(call)
    if not inner:
        return None
    for one in children(bare(inner[0])):
        if one._kind_id in _EXPRESSIONS:  # noqa: SLF001
            return portable_value(one)
    return None


def _call_order(call: WarpCall) -> tuple[object, ...]:
    return (
        call.path, call.line, call.column, call.symbol, call.function, call.mask_bits,
        -1 if call.mask is None else call.mask, call.width or 0, call.result_bits,
    )  # fmt: skip


def _tile_order(tile: TileSize) -> tuple[object, ...]:
    return tile.path, tile.line, tile.column, tile.size, tile.function
