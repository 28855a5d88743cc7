"""What a rule asks: one file's facts, what the compiler says of it, and the tree around it."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath
from typing import Any, Protocol, TypeVar

from migrate.knowledge.archs import Arch, known_archs
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
from migrate.model.kernel import KernelRow
from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Hit
from migrate.model.semantic import CallEdge, LaneArithmetic, Program, TileSize, WarpCall
from migrate.model.target import Target
from migrate.model.verdict import Confidence, SeenBy, Severity, Side, State, Verdict
from migrate.rules.literals import integer_of
from migrate.rules.switches import Choice, Switches


class _Placed(Protocol):
    @property
    def path(self) -> str: ...


_WARP_BUILTIN = re.compile(r"__(?:shfl|ballot|any|all|match|reduce|syncwarp|activemask)")
_HALF = re.compile(r"([A-Za-z_]\w*)\s*(?:/\s*2|>>\s*1)")
_MOST_ALIASES = 3
_P = TypeVar("_P", bound=_Placed)
_T = TypeVar("_T")


def _by_path(rows: Iterable[_P]) -> Mapping[str, tuple[_P, ...]]:
    found: dict[str, list[_P]] = defaultdict(list)
    for row in rows:
        found[row.path].append(row)
    return {path: tuple(group) for path, group in found.items()}


@dataclass(frozen=True)
class CodeBase:
    """What rules may know of the whole tree; made once a run.

    ``verdict_of`` is the tables' verdict on the use in a row of a file.
    """

    target: Target
    files: Sequence[FileFacts]
    verdict_of: Callable[[str, int], Verdict]
    program: Program = field(default_factory=Program)
    kernels: Sequence[KernelRow] = ()

    @cached_property
    def archs(self) -> tuple[Arch, ...]:
        """The GPUs of the target."""
        return tuple(known_archs()[gfx.partition(":")[0]] for gfx in self.target.archs)

    @cached_property
    def constants(self) -> Mapping[str, tuple[int, ...]]:
        """The values that each named integer of the tree has somewhere, in rising order.

        Those of functions are nobody else's, and what HIP builds define too is no CUDA constant.
        """
        return constants_in(
            mark
            for mark in self._integers
            if not mark.function and mark.symbol not in self.by_vendor
        )

    @cached_property
    def _integers(self) -> tuple[Mark, ...]:
        return tuple(
            mark
            for file in self.files
            for mark in file.marks
            if mark.kind in {MarkKind.CONSTANT, MarkKind.CONSTANT_ALIAS}
        )

    @cached_property
    def by_vendor(self) -> frozenset[str]:
        """The named integers of the tree that have a value of their own in HIP builds."""
        return frozenset(mark.symbol for mark in self._integers if _of_hip(mark))

    @cached_property
    def constant_bits(self) -> Mapping[str, int]:
        """The least bits that the type of each named integer of the tree has, where declared."""
        found: dict[str, int] = {}
        for file in self.files:
            for mark in file.marks:
                if mark.kind is MarkKind.CONSTANT and mark.values[2] and not _of_hip(mark):
                    bits = int(mark.values[2])
                    found[mark.symbol] = min(bits, found.get(mark.symbol, bits))
        return found

    @cached_property
    def warp_wrappers(self) -> Mapping[str, frozenset[str]]:
        """The project's macros by name that stand for warp builtins, with these."""
        found: dict[str, frozenset[str]] = {}
        for file in self.files:
            for macro in file.macros:
                builtins = frozenset(name for name in macro.symbols if _WARP_BUILTIN.match(name))
                if builtins and macro.state is not State.HIP:
                    found[macro.name] = builtins | found.get(macro.name, frozenset())
        return found

    @cached_property
    def names_of_warp_size(self) -> frozenset[str]:
        """The names of the tree that stand for ``warpSize``, in HIP's branches too."""
        return frozenset(
            mark.symbol
            for file in self.files
            for mark in file.marks
            if mark.kind is MarkKind.CONSTANT_ALIAS and mark.values[0] == "warpSize"
        )

    @cached_property
    def ported_wrappers(self) -> frozenset[str]:
        """Those of ``warp_wrappers`` that have a twin in HIP builds wherever they are defined."""
        defined = [
            macro
            for file in self.files
            for macro in file.macros
            if macro.name in self.warp_wrappers
        ]
        active = {macro.name for macro in defined if macro.state is State.ACTIVE}
        return frozenset(macro.name for macro in defined if macro.state is State.PORTED) - active

    @cached_property
    def warp_functions(self) -> Mapping[str, frozenset[str]]:
        """The project's own functions and macros that call warp builtins, with these."""
        found: dict[str, frozenset[str]] = dict(self.warp_wrappers)
        for file in self.files:
            for call in file.calls:
                name = call.function.rpartition("::")[2]
                if name and _WARP_BUILTIN.match(call.symbol):
                    found[name] = found.get(name, frozenset()) | {call.symbol}
        return found

    @cached_property
    def project_warp_calls(self) -> Mapping[str, tuple[Mark, ...]]:
        """The calls of the project's own warp functions in the tree, by name."""
        found: dict[str, list[Mark]] = defaultdict(list)
        for file in self.files:
            for mark in file.marks:
                if mark.kind is MarkKind.WARP_CALL and not _of_hip(mark):
                    found[mark.symbol].append(mark)
        return {name: tuple(marks) for name, marks in found.items()}

    @cached_property
    def switches(self) -> Switches:
        """The macros that the tree's conditions ask for."""
        return Switches(mark for file in self.files for mark in file.marks)

    @cached_property
    def kernels_by_path(self) -> Mapping[str, tuple[KernelRow, ...]]:
        """The kernels by the file of their definition."""
        return _by_path(self.kernels)

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The CUDA names that the tree uses anywhere."""
        return frozenset(symbol for file in self.files for symbol in file.uses.symbols)

    @cached_property
    def calls_between(self) -> Mapping[str, tuple[CallEdge, ...]]:
        """The compiler's calls by the path of the caller's place."""
        return _by_path(self.program.calls)

    @cached_property
    def kernel_code(self) -> Mapping[str, str]:
        """The functions that the compiler saw to run on the GPU alone: key to name."""
        return {
            node.key: node.name
            for node in self.program.functions
            if node.kernel or node.side is Side.DEVICE
        }

    @cached_property
    def asm_by_function(self) -> Mapping[str, tuple[AsmBlock, ...]]:
        """The asm statements by the last part of the name of the function around them."""
        found: dict[str, list[AsmBlock]] = defaultdict(list)
        for file in self.files:
            for block in file.asm_blocks:
                found[block.function.rpartition("::")[2].partition("<")[0]].append(block)
        return {name: tuple(blocks) for name, blocks in found.items()}

    @cached_property
    def kernels_by_name(self) -> Mapping[str, tuple[KernelRow, ...]]:
        """The kernels by the last part of their name."""
        found: dict[str, list[KernelRow]] = defaultdict(list)
        for kernel in self.kernels:
            found[kernel.name.rpartition("::")[2]].append(kernel)
        return {name: tuple(rows) for name, rows in found.items()}

    @cached_property
    def macro_names(self) -> frozenset[str]:
        """The macros of the tree that hold CUDA names or give them another meaning."""
        return frozenset(macro.name for file in self.files for macro in file.macros)

    @cached_property
    def own_atomic_types(self) -> frozenset[str]:
        """The types for which the tree defines an atomic function of its own."""
        return frozenset(
            mark.values[0]
            for file in self.files
            for mark in file.marks
            if mark.kind is MarkKind.OWN_ATOMIC and mark.state is State.ACTIVE
        )

    @cached_property
    def waiting_files(self) -> frozenset[str]:
        """The names, without folders, of files in which a kernel waits for a flag of others."""
        return frozenset(
            file.path.rpartition("/")[2]
            for file in self.files
            if any(
                mark.kind is MarkKind.WAITING_LOOP and mark.values[0] == "flag"
                for mark in file.marks
            )
            or any(map(_reads_a_flag, file.asm_blocks))
        )

    @cached_property
    def kernel_names(self) -> frozenset[str]:
        """The last parts of the names of all kernels that are defined in the tree."""
        return frozenset(
            function.name.rpartition("::")[2]
            for file in self.files
            for function in file.functions
            if function.kernel
        )

    @cached_property
    def warp_calls(self) -> Mapping[str, tuple[WarpCall, ...]]:
        """The compiler's warp calls by path."""
        return _by_path(self.program.warp_calls)

    @cached_property
    def tile_sizes(self) -> Mapping[str, tuple[TileSize, ...]]:
        """The compiler's tile sizes by path."""
        return _by_path(self.program.tile_sizes)

    @cached_property
    def lane_arithmetic(self) -> Mapping[str, tuple[LaneArithmetic, ...]]:
        """The compiler's lane arithmetic by path."""
        return _by_path(self.program.lane_arithmetic)

    @cached_property
    def files_by_name(self) -> Mapping[str, tuple[FileFacts, ...]]:
        """The tree's files by the last part of their path."""
        found: dict[str, list[FileFacts]] = defaultdict(list)
        for file in self.files:
            found[file.path.rpartition("/")[2]].append(file)
        return {name: tuple(files) for name, files in found.items()}

    @cached_property
    def included_names(self) -> frozenset[str]:
        """The last part of the path of each header, or source, that a file includes."""
        return frozenset(
            include.name.rpartition("/")[2] for file in self.files for include in file.includes
        )

    def included(self, name: str, path: str) -> tuple[FileFacts, ...]:
        """The files of the tree that an ``#include`` in a file may mean.

        The one beside it, else all whose path ends so.
        """
        beside = normpath(f"{path.rpartition('/')[0]}/{name}").lstrip("/")
        ending = normpath(f"/{name}").replace("/../", "/")
        found = []
        for file in self.files_by_name.get(name.rpartition("/")[2], ()):
            if file.path == beside:
                return (file,)
            if f"/{file.path}".endswith(ending):
                found.append(file)
        return tuple(found)

    def code(self, facts: FileFacts) -> Code:
        """The view of one file."""
        return Code(self, facts)


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
        where: CodeUse | CallSite | LaunchSite | AsmBlock | Mark,
        *,
        symbol: str = "",
        detail: str = "",
        fix: str = "",
        verdict: Verdict | None = None,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        archs: tuple[str, ...] | None = None,
    ) -> Hit:
        """A hit at a use, a call, a launch, an asm statement or a mark.

        It explains the use that stands there, if one does. ``symbol`` is what the finding names;
        where none is given, the place's own.
        """
        own = _symbol_of(where)
        said: dict[str, Any] = {
            "detail": detail, "fix": fix, "verdict": verdict, "severity": severity,
            "confidence": confidence, "archs": archs,
        }  # fmt: skip
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


def constants_in(marks: Iterable[Mark]) -> Mapping[str, tuple[int, ...]]:
    """The values of named integers, those of names that stand for another name included."""
    found: dict[str, set[int]] = defaultdict(set)
    others: dict[str, str] = {}
    for mark in marks:
        if mark.kind is MarkKind.CONSTANT and not _of_hip(mark):
            found[mark.symbol].add(int(mark.values[0]))
        elif mark.kind is MarkKind.CONSTANT_ALIAS and not _of_hip(mark):
            others[mark.symbol] = mark.values[0]
    for name in others:
        other = name
        for _ in range(_MOST_ALIASES):
            other = others.get(other, "")
            if other in found:
                found[name] |= found[other]
                break
    return {name: tuple(sorted(values)) for name, values in found.items()}


def _of_hip(mark: Mark) -> bool:
    """Whether a constant has another value in HIP builds: it is HIP's, or has a twin there."""
    return mark.state in {State.HIP, State.PORTED}


def _reads_a_flag(block: AsmBlock) -> bool:
    """Whether PTX loads what others write meanwhile: such a load stands in a loop that waits."""
    return any(
        mnemonic.startswith("ld.") and not {"acquire", "volatile"}.isdisjoint(mnemonic.split("."))
        for mnemonic in block.mnemonics
    )


def _symbol_of(where: CodeUse | CallSite | LaunchSite | AsmBlock | Mark) -> str:
    if isinstance(where, LaunchSite):
        return where.kernel
    return "" if isinstance(where, AsmBlock) else where.symbol


def _hash_of(text: str) -> int:
    """Stands for a line's hash where only what stands on it is known."""
    return zlib.crc32("".join(text.split()).encode(errors="replace"))
