"""What a rule asks: one file's facts, what the compiler says of it, and the tree around it."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from migrate.model.facts import (
    SEEN_BY,
    STATES,
    AsmBlock,
    CallSite,
    FileFacts,
    Include,
    LaunchSite,
    UseKind,
)
from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Hit
from migrate.model.semantic import LaneArithmetic, TileSize, WarpCall
from migrate.model.signals import Kind, Signal
from migrate.model.target import Target
from migrate.model.verdict import Confidence, SeenBy, Severity, Side, State, Verdict
from migrate.rules.base import CodeBase, constants_in
from migrate.rules.literals import integer_of
from migrate.rules.switches import Choice

_HALF = re.compile(r"([A-Za-z_]\w*)\s*(?:/\s*2|>>\s*1)")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeUse:
    """A use as a rule sees it; ``row`` is its row in the file's table."""

    row: int
    symbol: str
    line: int
    column: int
    kind: UseKind
    function: str
    side: Side
    state: State
    arguments: int


@dataclass(frozen=True)
class Code:
    """One file of the tree as a rule sees it.

    Every question is cheap: what has to be gathered is gathered once a file.
    """

    base: CodeBase
    facts: FileFacts
    _made: dict[Callable[[Code], Any], Any] = field(default_factory=dict, compare=False)

    def once(self, make: Callable[[Code], _T]) -> _T:
        """What a function makes of this file, made once for all rules that ask."""
        if make not in self._made:
            self._made[make] = make(self)
        made: _T = self._made[make]
        return made

    @property
    def path(self) -> str:
        """The file's path."""
        return self.facts.path

    @property
    def target(self) -> Target:
        """What the code shall run on."""
        return self.base.target

    @cached_property
    def _rows(self) -> Mapping[str, tuple[int, ...]]:
        table = self.facts.uses
        rows: list[list[int]] = [[] for _ in table.symbols]
        for row, symbol in enumerate(table.symbol):
            rows[symbol].append(row)
        return {symbol: tuple(rows[number]) for number, symbol in enumerate(table.symbols)}

    @cached_property
    def _places(self) -> Mapping[tuple[int, int], tuple[int, ...]]:
        table = self.facts.uses
        found: dict[tuple[int, int], tuple[int, ...]] = {}
        for row in range(len(table)):
            place = table.line[row], table.column[row]
            found[place] = (*found.get(place, ()), row)
        return found

    @cached_property
    def _calls(self) -> Mapping[str, tuple[CallSite, ...]]:
        found: dict[str, list[CallSite]] = defaultdict(list)
        for call in self.facts.calls:
            found[call.symbol].append(call)
        return {symbol: tuple(calls) for symbol, calls in found.items()}

    @cached_property
    def _marks(self) -> Mapping[MarkKind, tuple[Mark, ...]]:
        found: dict[MarkKind, list[Mark]] = defaultdict(list)
        for mark in self.facts.marks:
            found[mark.kind].append(mark)
        return {kind: tuple(marks) for kind, marks in found.items()}

    @property
    def symbols(self) -> Iterable[str]:
        """The distinct CUDA names that the file uses."""
        return self.facts.uses.symbols

    def uses(self, *symbols: str) -> Iterator[CodeUse]:
        """The uses of names, in order of place for each name."""
        for symbol in symbols:
            for row in self._rows.get(symbol, ()):
                yield self.use(row)

    def use(self, row: int) -> CodeUse:
        """The use in a row of the file's table."""
        table = self.facts.uses
        number = table.function[row]
        function = self.facts.functions[number - 1] if number else None
        return CodeUse(
            row=row,
            symbol=table.symbols[table.symbol[row]],
            line=table.line[row],
            column=table.column[row],
            kind=UseKind(table.kind[row]),
            function=function.name if function else "",
            side=function.side if function else Side.UNKNOWN,
            state=STATES[table.state[row]],
            arguments=table.arguments[row] - 1,
        )

    def calls(self, *symbols: str) -> Iterator[CallSite]:
        """The calls of CUDA functions with their arguments as written."""
        for symbol in symbols:
            yield from self._calls.get(symbol, ())

    def marks(self, *kinds: MarkKind) -> Iterator[Mark]:
        """The constructs of some kinds."""
        for kind in kinds:
            yield from self._marks.get(kind, ())

    @cached_property
    def _signals(self) -> Mapping[Kind, tuple[Signal, ...]]:
        found: dict[Kind, list[Signal]] = defaultdict(list)
        for signal in self.facts.signals:
            found[signal.kind].append(signal)
        return {kind: tuple(signals) for kind, signals in found.items()}

    def signals(self, *kinds: Kind) -> Iterator[Signal]:
        """What a file around the code says of some kinds."""
        for kind in kinds:
            yield from self._signals.get(kind, ())

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The conditionals of which a HIP build takes another branch than a CUDA build."""
        found = map(self.base.switches.choice, self.marks(MarkKind.CONDITIONAL))
        return tuple(choice for choice in found if choice is not None)

    @property
    def warp_calls(self) -> tuple[WarpCall, ...]:
        """What the compiler knows of the operands of warp functions."""
        return self.base.warp_calls.get(self.path, ())

    @property
    def tile_sizes(self) -> tuple[TileSize, ...]:
        """The compiler's sizes of cooperative groups."""
        return self.base.tile_sizes.get(self.path, ())

    @property
    def lane_arithmetic(self) -> tuple[LaneArithmetic, ...]:
        """The compiler's arithmetic that takes thread indices apart."""
        return self.base.lane_arithmetic.get(self.path, ())

    @cached_property
    def _constants(self) -> Mapping[str, tuple[int, ...]]:
        return constants_in(mark for mark in self.facts.marks if not mark.function)

    def values_of(self, text: str) -> tuple[int, ...]:
        """What an integer literal or a named constant is worth; () for other text.

        A constant of this file, else one of the tree's by that name; ``N / 2`` of one is known too.
        """
        value = integer_of(text)
        if value is not None:
            return (value,)
        name = text.strip().strip("()").strip()
        half = _HALF.fullmatch(name)
        if half is not None:
            return tuple(value // 2 for value in self.values_of(half[1]))
        return self._constants.get(name) or self.base.constants.get(name, ())

    def verdict(self, use: CodeUse) -> Verdict:
        """The tables' verdict on a use."""
        return self.base.verdict_of(self.path, use.row)

    def hit(
        self,
        where: CodeUse | CallSite | LaunchSite | AsmBlock | Mark | Signal,
        *,
        symbol: str = "",
        detail: str = "",
        fix: str = "",
        verdict: Verdict | None = None,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        archs: tuple[str, ...] | None = None,
    ) -> Hit:
        """A hit at a use, a call, a launch, an asm statement, a mark or a signal.

        It explains the use that stands there, if one does. ``symbol`` is what the finding names;
        where none is given, the place's own.
        """
        own = _symbol_of(where)
        said: dict[str, Any] = {
            "detail": detail, "fix": fix, "verdict": verdict, "severity": severity,
            "confidence": confidence, "archs": archs,
        }  # fmt: skip
        if isinstance(where, Signal):
            return _hit_signal(where, symbol or own, **said)
        row = where.row if isinstance(where, CodeUse) else self.row_at(where.line, where.column)
        if row >= 0:
            return self.hit_row(row, symbol=symbol or own, **said)
        mark = where if isinstance(where, Mark) else None
        return Hit(
            line=where.line,
            end_line=mark.end_line if mark else where.line,
            column=where.column,
            symbol=symbol or own,
            function=self._function_of(mark) if mark else where.function,
            state=where.state,
            line_hash=mark.line_hash if mark else _hash_of(own),
            seen_by=SeenBy.TREE,
            **said,
        )

    def hit_include(self, include: Include, **said: Any) -> Hit:  # noqa: ANN401 - as in hit
        """A hit at an ``#include``."""
        return Hit(
            line=include.line,
            end_line=include.line,
            column=1,
            symbol=include.name,
            function="",
            state=include.state,
            line_hash=_hash_of(include.name),
            seen_by=SeenBy.TREE,
            **said,
        )

    @cached_property
    def _functions(self) -> Mapping[int, str]:
        return {function.line: function.name for function in self.facts.functions}

    def _function_of(self, mark: Mark) -> str:
        """A mark's function by the name that the compiler may have given it since."""
        return self._functions.get(mark.first_line, mark.function) if mark.function else ""

    def hit_row(self, row: int, *, symbol: str = "", **said: Any) -> Hit:  # noqa: ANN401 - as in hit
        """A hit at a row of the file's table of uses."""
        table, use = self.facts.uses, self.use(row)
        return Hit(
            line=use.line,
            end_line=table.end_line[row],
            column=use.column,
            symbol=symbol or use.symbol,
            function=use.function,
            state=use.state,
            line_hash=table.line_hash[row],
            seen_by=SEEN_BY[table.seen_by[row]],
            row=row,
            **said,
        )

    def hit_place(
        self,
        line: int,
        column: int,
        symbol: str,
        function: str,
        *,
        seen_by: SeenBy = SeenBy.CLANG,
        **said: Any,  # noqa: ANN401 - as in hit
    ) -> Hit:
        """A hit at a place that the compiler names; it explains the use there, if one is."""
        row = self.row_at(line, column)
        if row >= 0:
            return self.hit_row(row, symbol=symbol, **said)
        return Hit(
            line=line,
            end_line=line,
            column=column,
            symbol=symbol,
            function=function,
            state=self.state_at(line),
            line_hash=_hash_of(symbol),
            seen_by=seen_by,
            **said,
        )

    def row_at(self, line: int, column: int) -> int:
        """The row of the use at a place, -1 for none."""
        return self._places.get((line, column), (-1,))[0]

    def state_at(self, line: int) -> State:
        """The state of a line of code by the file's conditionals."""
        if self.facts.hip:
            return State.HIP
        states = [
            branch.state
            for branch in self.facts.conditionals
            if branch.line <= line <= branch.end_line
        ]
        return states[-1] or State.HIP if states else State.ACTIVE


def _hit_signal(where: Signal, symbol: str, **said: Any) -> Hit:  # noqa: ANN401 - as in hit
    return Hit(
        line=where.line,
        end_line=where.line,
        column=where.column,
        symbol=symbol,
        function="",
        state=where.state,
        line_hash=where.line_hash,
        seen_by=SeenBy.TEXT,
        **said,
    )


def _symbol_of(where: CodeUse | CallSite | LaunchSite | AsmBlock | Mark | Signal) -> str:
    if isinstance(where, LaunchSite):
        return where.kernel
    if isinstance(where, Signal):
        return where.value
    return "" if isinstance(where, AsmBlock) else where.symbol


def _hash_of(text: str) -> int:
    """Stands for a line's hash where only what stands on it is known."""
    return zlib.crc32("".join(text.split()).encode(errors="replace"))
