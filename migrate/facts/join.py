"""Facts of all files together: own names leave, states that only the tree tells come in."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from migrate.facts.includes import IncludeGraph
from migrate.facts.ownership import is_own, own_libraries
from migrate.facts.shims import find_mapped_names
from migrate.facts.twins import find_ported_twins
from migrate.model.facts import STATES, FileFacts, UseTable
from migrate.model.verdict import State

_COMPATIBILITY_HEADER = 5
"""So many mapped names make a header one that serves the whole project (judgement)."""
_STATE_CODES = {state: code for code, state in enumerate(STATES)}


def join_facts(
    facts: Iterable[FileFacts], vendored: Collection[str], *, include_vendored: bool
) -> tuple[FileFacts, ...]:
    """Settle what one file alone could not know; files come back in order of path.

    Both steps in one, without a compiler's answers between them (:func:`drop_own_names`,
    :func:`settle_states`).
    """
    third_party = frozenset() if include_vendored else frozenset(vendored)
    return settle_states(drop_own_names(facts, third_party), third_party)


def drop_own_names(
    facts: Iterable[FileFacts], third_party: Collection[str]
) -> tuple[FileFacts, ...]:
    """Drop the uses of names that are the tree's own; files come back in order of path.

    A name that only looks like CUDA's and that some file of the tree defines is none of CUDA's; one
    that a family answers for (``CUPTI_CALL``) is not where the project's own code defines it. The
    names of a library that comes as source count only where the tree is not that library. A macro
    of CUDA's that the project gives a meaning of its own is its own where that is in force.
    """
    files = sorted(facts, key=lambda file: file.path)
    own = [file for file in files if file.path not in third_party]
    own_names = (
        frozenset[str]().union(*(file.defined for file in files)),
        frozenset[str]().union(*(file.defined for file in own)),
    )
    libraries = own_libraries(file.path for file in own)
    macros = _own_macros(files, own)
    return tuple(
        _without_own(file, own_names, libraries, macros.get(file.path, frozenset()))
        for file in files
    )


def _own_macros(files: Sequence[FileFacts], own: Sequence[FileFacts]) -> dict[str, frozenset[str]]:
    """The macros of CUDA's that have a meaning of the project's, by the files where they do."""
    defining = [file for file in own if file.own_macros]
    graph = IncludeGraph(files if defining else ())
    found: dict[str, frozenset[str]] = {}
    for file in defining:
        for path in graph.reach(file.path):
            found[path] = found.get(path, frozenset()) | file.own_macros
    return found


def settle_states(
    files: Sequence[FileFacts], third_party: Collection[str]
) -> tuple[FileFacts, ...]:
    """Set the states that only the whole tree tells.

    Uses in third-party copies are ``vendored``. A CUDA file with a hipified twin beside it is
    ``ported``, and so is a name where the project's own compatibility header maps it for HIP
    builds; such a file is built for HIP already.
    """
    ported = find_ported_twins(files)
    mapped = find_mapped_names(files, IncludeGraph(files), third_party)
    return tuple(
        replace(
            _with_states(
                file,
                vendored=file.path in third_party,
                ported=file.path in ported,
                mapped=mapped.get(file.path, frozenset()),
            ),
            hip_built=file.hip
            or file.path in ported
            or _is_mapped(file, mapped.get(file.path, frozenset())),
        )
        for file in files
    )


def _is_mapped(file: FileFacts, mapped: frozenset[str]) -> bool:
    """Whether the names that a header maps for HIP show that HIP builds compile a file.

    One that maps a name or two, none of which the file uses, was written for some other file.
    """
    return len(mapped) >= _COMPATIBILITY_HEADER or any(
        symbol in mapped or f"{symbol.partition('::')[0]}::" in mapped
        for symbol in file.uses.symbols
    )


def _without_own(
    file: FileFacts,
    own_names: tuple[frozenset[str], ...],
    libraries: frozenset[str],
    macros: frozenset[str],
) -> FileFacts:
    table = file.uses
    if not len(table):
        return file
    symbols = list(enumerate(table.symbols))
    library = {number for number, symbol in symbols if is_own(symbol, libraries)}
    dropped = [
        *(
            library | {number for number, symbol in symbols if symbol in names}
            for names in own_names
        ),
        library | {number for number, symbol in symbols if symbol in macros},
    ]
    kept = [row for row in range(len(table)) if table.symbol[row] not in dropped[table.known[row]]]
    return file if len(kept) == len(table) else replace(file, uses=_select(table, kept))


def _with_states(
    file: FileFacts, *, vendored: bool, ported: bool, mapped: frozenset[str]
) -> FileFacts:
    table, marks, signals = file.uses, file.marks, file.signals
    state = State.VENDORED if vendored else State.PORTED if ported else None
    if state is not None:
        table = replace(table, state=_raised(table.state, state))
        marks = tuple(replace(mark, state=state) for mark in marks)
        signals = tuple(replace(signal, state=state) for signal in signals)
    elif mapped:
        table = replace(table, state=_ported_names(table, mapped))
    if table is file.uses and not marks and not signals:
        return file
    return replace(file, uses=table, marks=marks, signals=signals)


def _raised(states: Sequence[int], state: State) -> array[int]:
    """The states with a file's own put over them; in vendored code all else is beside the point."""
    code = _STATE_CODES[state]
    return array("B", [code] * len(states))


def _ported_names(table: UseTable, mapped: frozenset[str]) -> array[int]:
    """The states with active uses of the mapped names made ported."""
    active, ported = _STATE_CODES[State.ACTIVE], _STATE_CODES[State.PORTED]
    numbers = {
        number
        for number, symbol in enumerate(table.symbols)
        if symbol in mapped or f"{symbol.partition('::')[0]}::" in mapped
    }
    return array(
        "B",
        (
            ported if state == active and symbol in numbers else state
            for state, symbol in zip(table.state, table.symbol, strict=True)
        ),
    )


def _select(table: UseTable, rows: list[int]) -> UseTable:
    return UseTable(
        symbols=table.symbols,
        symbol=array("I", [table.symbol[row] for row in rows]),
        line=array("I", [table.line[row] for row in rows]),
        end_line=array("I", [table.end_line[row] for row in rows]),
        column=array("I", [table.column[row] for row in rows]),
        function=array("I", [table.function[row] for row in rows]),
        state=array("B", [table.state[row] for row in rows]),
        kind=array("B", [table.kind[row] for row in rows]),
        arguments=array("I", [table.arguments[row] for row in rows]),
        seen_by=array("B", [table.seen_by[row] for row in rows]),
        known=array("B", [table.known[row] for row in rows]),
        line_hash=array("I", [table.line_hash[row] for row in rows]),
    )
