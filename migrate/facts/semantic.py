"""What the compiler says put over what text and trees say: one use a place, whoever saw it."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from migrate.facts.spans import Spans
from migrate.knowledge.apis import ApiTables
from migrate.model.facts import (
    SEEN_BY,
    STATES,
    CallSite,
    FileFacts,
    Function,
    MacroDefinition,
    UseKind,
    UseTable,
)
from migrate.model.semantic import Agreement, Answer, AnswerTable, FunctionPlace, UnitFacts
from migrate.model.verdict import SeenBy, State

_ACTIVE = STATES.index(State.ACTIVE)
_CLANG = SEEN_BY.index(SeenBy.CLANG)
_LAUNCHES = frozenset({UseKind.LAUNCH, UseKind.DEVICE_LAUNCH})
_COUNTED = re.compile(r"_\d+_*$")
"""Names that a macro numbers by line or counter: another line above makes them others."""


class _Said(NamedTuple):
    """One answer for a place."""

    symbol: str
    answer: Answer
    kind: UseKind
    arguments: int
    function: FunctionPlace | None
    pasted: bool
    line_hash: int
    alias: str


_Place = tuple[int, int]
_Answers = Mapping[_Place, Sequence[_Said]]


@dataclass(frozen=True, slots=True)
class Merged:
    """The files with the compiler's answers in them, and how those agree with the trees'."""

    files: tuple[FileFacts, ...]
    agreement: Agreement


def merge_answers(
    files: Sequence[FileFacts],
    units: Iterable[UnitFacts],
    tables: ApiTables,
    mapped: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> Merged:
    """Put the units' answers over the files' uses.

    A header that many units include has one answer a place: that of the first unit, and CUDA's
    where any unit says so. Where tree and compiler disagree, the compiler is right: what is the
    project's own leaves, what it resolves to another name takes that name, what the tree has not
    seen comes in. A place of which no unit speaks, in a branch that the compiler did not see or in
    a file that it was not asked for, keeps what text and tree say.

    ``mapped`` are the names that a project maps to HIP itself, by the path of each file they hold
    for (:func:`migrate.facts.shims.find_mapped_names`): what is written through a namespace of the
    project's that is CUDA's in one build and HIP's in the other is ported.
    """
    units = tuple(units)
    answers = _by_file(units)
    expansions = _expansions(units)
    total = Agreement()
    merged = []
    for file in files:
        said = answers.get(file.path)
        if said is not None and not file.hip and not file.error:
            merge = _Merge(file, said, tables, mapped.get(file.path, frozenset()))
            file, agreement = merge.run()  # noqa: PLW2901 - the file, brought up
            total += agreement
        merged.append(_with_expansions(file, expansions))
    return Merged(tuple(merged), total)


def _by_file(units: Iterable[UnitFacts]) -> dict[str, dict[_Place, list[_Said]]]:
    found: dict[str, dict[_Place, list[_Said]]] = {}
    for unit in units:
        for file in unit.answers:
            places = found.setdefault(file.path, {})
            for place, said in _rows(file.table).items():
                known = places.get(place)
                if known is None or (not _any_api(known) and _any_api(said)):
                    places[place] = said
    return found


def _any_api(said: Iterable[_Said]) -> bool:
    return any(one.answer is Answer.API for one in said)


def _rows(table: AnswerTable) -> dict[_Place, list[_Said]]:
    places: dict[_Place, list[_Said]] = defaultdict(list)
    for row in range(len(table)):
        function = table.function[row]
        places[table.line[row], table.column[row]].append(
            _Said(
                symbol=table.symbols[table.symbol[row]],
                answer=Answer(table.answer[row]),
                kind=UseKind(table.kind[row]),
                arguments=table.arguments[row] - 1,
                function=table.functions[function - 1] if function else None,
                pasted=bool(table.pasted[row]),
                line_hash=table.line_hash[row],
                alias=table.aliases[table.alias[row]] if table.alias else "",
            )
        )
    return places


class _Row(NamedTuple):
    """A use of a file, as the table's columns have it; sorted by place."""

    line: int
    column: int
    symbol: str
    end_line: int
    function: int
    state: int
    kind: int
    arguments: int
    seen_by: int
    known: int
    line_hash: int


class _Merge:
    """One file's uses with the answers for its places."""

    def __init__(
        self, file: FileFacts, answers: _Answers, tables: ApiTables, mapped: frozenset[str]
    ) -> None:
        self._mapped = mapped
        self._file = file
        self._answers = answers
        self._tables = tables
        self._branches = Spans(
            (one.line, one.end_line, number) for number, one in enumerate(file.conditionals)
        )
        self._listed = Spans(
            (one.line, one.end_line, number) for number, one in enumerate(file.functions)
        )
        self._functions = list(file.functions)
        self._new_functions: dict[FunctionPlace, int] = {}
        self._counts: Counter[str] = Counter()

    def run(self) -> tuple[FileFacts, Agreement]:
        rows, dropped = [], set()
        taken = set()
        for row in _table_rows(self._file.uses):
            place = (row.line, row.column)
            taken.add(place)
            judged = self._judge(row)
            if judged is None:
                dropped.add(place)
            else:
                rows.append(judged)
        for place, said in self._answers.items():
            rows += self._found(place, said, written=place not in taken)
        rows.sort()
        file = replace(
            self._file,
            uses=_use_table(rows),
            functions=tuple(self._functions),
            calls=_calls(self._file.calls, dropped),
        )
        return file, Agreement(**self._counts)

    def _judge(self, row: _Row) -> _Row | None:
        """A use as the compiler sees it; None where it is the project's own name."""
        if row.kind == UseKind.DIRECTIVE:  # no place at which the compiler is asked
            return row
        said = [one for one in self._answers.get((row.line, row.column), ()) if not one.pasted]
        if row.kind == UseKind.MACRO_BODY and not said:  # a macro that nobody uses
            return row
        api = [one for one in said if one.answer is Answer.API]
        same = [one for one in api if _is_same(row, one)]
        if same:
            return self._agreed(row, same[-1])
        if api and row.kind not in {UseKind.ASM, *_LAUNCHES}:
            self._counts["other_name"] += 1
            return self._renamed(row, api[-1])
        if said and not api:
            self._counts["own"] += 1
            return None
        self._counts["unseen"] += 1
        return row

    def _is_mapped(self, said: _Said) -> bool:
        """Whether a name is written through a namespace that a HIP build has too."""
        return bool(said.alias) and f"{said.alias}::" in self._mapped

    def _agreed(self, row: _Row, said: _Said) -> _Row:
        self._name_function(row.function, said.function)
        row = row._replace(seen_by=_CLANG)
        if row.state == _ACTIVE and self._is_mapped(said):
            row = row._replace(state=STATES.index(State.PORTED))
        if row.kind in _LAUNCHES and said.kind != row.kind:
            self._counts["other_name"] += 1
            return row._replace(kind=int(said.kind))
        if (
            said.arguments >= 0
            and said.symbol == row.symbol
            and row.arguments != said.arguments + 1
        ):
            self._counts["arguments"] += 1
            return row._replace(arguments=said.arguments + 1, kind=int(UseKind.CALL))
        self._counts["agreed"] += 1
        return row

    def _renamed(self, row: _Row, said: _Said) -> _Row:
        return row._replace(
            symbol=said.symbol,
            kind=int(said.kind),
            arguments=said.arguments + 1,
            seen_by=_CLANG,
            known=self._tables.standing(said.symbol),
        )

    def _found(self, place: _Place, said: Sequence[_Said], *, written: bool) -> Iterable[_Row]:
        """The uses at a place that the tree has not seen; ``written``: it has none there."""
        own_words = [one for one in said if one.answer is Answer.API and not one.pasted]
        new = [one for one in said if one.pasted and one.answer is Answer.API]
        if written and own_words:
            new.append(own_words[-1])
        for one in new:
            state = self._state(place[0])
            if state is State.ACTIVE and self._is_mapped(one):
                state = State.PORTED
            if one.kind is UseKind.ASM or state is None or state is State.HIP:
                continue
            self._counts["found"] += 1
            yield _Row(
                line=place[0],
                column=place[1],
                symbol=one.symbol,
                end_line=place[0],
                function=self._function(place[0], one),
                state=STATES.index(state),
                kind=int(one.kind),
                arguments=one.arguments + 1,
                seen_by=_CLANG,
                known=self._tables.standing(one.symbol),
                line_hash=one.line_hash,
            )

    def _state(self, line: int) -> State | None:
        """The state of a line by the innermost branch around it; None for disabled code."""
        branch = self._branches.around(line)
        return State.ACTIVE if branch is None else self._file.conditionals[branch].state

    def _name_function(self, number: int, place: FunctionPlace | None) -> None:
        """Name a function whose head a macro makes: a tree takes the macro for its name."""
        if not number or place is None:
            return
        function = self._functions[number - 1]
        name = place.name.rpartition("::")[2]
        if (
            function.end_line == place.end_line
            and function.name.isidentifier()
            and name.isidentifier()
            and not _COUNTED.search(name)
            and name != function.name
        ):
            self._functions[number - 1] = replace(
                function, name=place.name, side=place.side, kernel=place.kernel
            )

    def _function(self, line: int, said: _Said) -> int:
        """The number of the function around a line, from 1; one that is not listed yet is added."""
        if said.kind is UseKind.MACRO_BODY:
            return 0
        place = said.function
        around = self._listed.around(line)
        if around is not None:
            return around + 1
        if place is None or not place.line <= line <= place.end_line:
            return 0
        number = self._new_functions.get(place)
        if number is None:
            self._functions.append(
                Function(
                    name=place.name,
                    line=place.line,
                    end_line=place.end_line,
                    side=place.side,
                    kernel=place.kernel,
                    state=self._state(place.line) or State.ACTIVE,
                )
            )
            number = self._new_functions[place] = len(self._functions)
        return number


def _is_same(row: _Row, said: _Said) -> bool:
    """Whether an answer of CUDA's confirms a use: the same name, or one that goes on from it."""
    if row.kind == UseKind.ASM or said.kind is UseKind.ASM:
        return row.kind == said.kind
    if row.symbol == said.symbol:
        return True
    if row.symbol.startswith(f"{said.symbol}::") or said.symbol.startswith(f"{row.symbol}::"):
        return True
    # The source names CUDA's namespace itself: thrust::pair is libcu++'s by now, and is ported as
    # thrust::pair.
    namespace, separator, _ = row.symbol.partition("::")
    return bool(separator) and namespace == (said.alias or said.symbol.partition("::")[0])


def _table_rows(table: UseTable) -> Iterable[_Row]:
    for row in range(len(table)):
        yield _Row(
            line=table.line[row],
            column=table.column[row],
            symbol=table.symbols[table.symbol[row]],
            end_line=table.end_line[row],
            function=table.function[row],
            state=table.state[row],
            kind=table.kind[row],
            arguments=table.arguments[row],
            seen_by=table.seen_by[row],
            known=table.known[row],
            line_hash=table.line_hash[row],
        )


def _use_table(rows: Sequence[_Row]) -> UseTable:
    symbols = sorted({row.symbol for row in rows})
    number = {symbol: index for index, symbol in enumerate(symbols)}
    return UseTable(
        symbols=tuple(symbols),
        symbol=array("I", [number[row.symbol] for row in rows]),
        line=array("I", [row.line for row in rows]),
        end_line=array("I", [row.end_line for row in rows]),
        column=array("I", [row.column for row in rows]),
        function=array("I", [row.function for row in rows]),
        state=array("B", [row.state for row in rows]),
        kind=array("B", [row.kind for row in rows]),
        arguments=array("I", [row.arguments for row in rows]),
        seen_by=array("B", [row.seen_by for row in rows]),
        known=array("B", [row.known for row in rows]),
        line_hash=array("I", [row.line_hash for row in rows]),
    )


def _calls(calls: tuple[CallSite, ...], dropped: set[_Place]) -> tuple[CallSite, ...]:
    if not dropped:
        return calls
    return tuple(call for call in calls if (call.line, call.column) not in dropped)


def _expansions(units: Iterable[UnitFacts]) -> Counter[tuple[str, str, int]]:
    """How often each macro of the tree is expanded: by the file with its definition, name, line.

    A file that several units speak of counts once, as the first of them sees it.
    """
    total: Counter[tuple[str, str, int]] = Counter()
    seen = set()
    for unit in units:
        for file in unit.answers:
            if file.path in seen:
                continue
            seen.add(file.path)
            for use in file.macros:
                total[use.defined_in, use.name, use.line] += use.expansions
    return total


def _with_expansions(file: FileFacts, total: Counter[tuple[str, str, int]]) -> FileFacts:
    if not total or not file.macros:
        return file
    macros = tuple(
        _counted(macro, total[file.path, macro.name, macro.line]) for macro in file.macros
    )
    return file if macros == file.macros else replace(file, macros=macros)


def _counted(macro: MacroDefinition, count: int) -> MacroDefinition:
    return replace(macro, expansions=count) if count else macro
