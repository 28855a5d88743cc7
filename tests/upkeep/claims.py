"""The tables' claims held against the symbols that ROCm's libraries declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from migrate.knowledge.apis import ApiTables
from migrate.knowledge.releases import known_releases
from migrate.knowledge.rows import ApiRow, has_any
from migrate.knowledge.symbols import SymbolTable, symbol_library
from migrate.knowledge.tables import table_rows
from migrate.model.target import NEWEST_CUDA_12, CudaVersion, RocmRelease, Target
from migrate.model.verdict import Verdict

Reviewed = tuple[str, str]
"""A library and a pattern of CUDA names whose HIP names no symbol list has, for a known reason."""

# The forms of a name that changed with CUDA 13 are looked at, too.
_SOURCES = (NEWEST_CUDA_12, CudaVersion(13, 5))


def exceptions() -> tuple[Reviewed, ...]:
    """The reviewed list, in its order."""
    rows = table_rows("library,name,reason", "symbol_exceptions.csv")
    return tuple((library, pattern) for library, pattern, reason in rows if reason)


def exception_for(row: ApiRow, reviewed: Iterable[Reviewed]) -> Reviewed | None:
    """The exception that speaks of the row."""
    return next(
        (
            (library, pattern)
            for library, pattern in reviewed
            if library == row.library and fnmatchcase(row.name, pattern)
        ),
        None,
    )


def claims(row: ApiRow, symbols: SymbolTable) -> Iterator[tuple[str, list[RocmRelease]]]:
    """The C names that a row promises, each with the releases that shall have it.

    Those of the libraries alone whose symbols are known in some release.
    """
    here = [release for release in known_releases() if not has_any(release, row.until)]
    for name, since in ((row.hip, row.since), (row.roc, row.roc_since)):
        if since and name.isidentifier() and symbols.covered(symbol_library(name)):
            yield name, [release for release in here if has_any(release, since)]


def undeclared(row: ApiRow, symbols: SymbolTable) -> list[str]:
    """What a row promises and covered releases do not declare, as lines."""
    lines = []
    for name, promised in claims(row, symbols):
        lacking = [str(one) for one in promised if symbols.has(name, one) is False]
        if lacking:
            lines.append(f"{row.library}: {row.name} -> {name} is not in {', '.join(lacking)}")
    return lines


def contradicted(tables: ApiTables, symbols: SymbolTable) -> list[str]:
    """The claims that covered releases contradict and that no exception explains."""
    reviewed = exceptions()
    return [
        line
        for row in tables.all_rows()
        if exception_for(row, reviewed) is None
        for line in undeclared(row, symbols)
    ]


def overlooked(tables: ApiTables, symbols: SymbolTable) -> list[str]:
    """The names said to be missing, without a word why, where a symbol looks like their own."""
    lines = []
    for name in sorted(tables.names):
        found = {
            twin: None
            for cuda in _SOURCES
            for release in known_releases()
            for twin in symbols.counterparts(name, release)
            if _is_missing(name, Target(release, (), cuda), tables)
        }
        if found:
            library = tables.rows_of(name)[0].library
            lines.append(f"{library}: {name} is missing, and there is {', '.join(found)}")
    return lines


def _is_missing(name: str, target: Target, tables: ApiTables) -> bool:
    answer = tables.resolve(name, target)
    return answer.verdict is Verdict.MISSING and not answer.note
