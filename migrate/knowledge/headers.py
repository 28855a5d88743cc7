"""Which header of ROCm stands for a CUDA header."""

from __future__ import annotations

from functools import cache

from migrate.knowledge.resolve import resolve_rows
from migrate.knowledge.rows import HEADER, ApiRow, parse_row
from migrate.knowledge.tables import bad_mapping, table_rows
from migrate.model.resolution import Resolution
from migrate.model.target import Target

_HEADER = "name,hip,verdict,since,until,library,as_of,source,note"


@cache
def _header_rows() -> dict[str, tuple[ApiRow, ...]]:
    rows: dict[str, tuple[ApiRow, ...]] = {}
    problems = []
    for name, hip, verdict, since, until, library, as_of, source, note in table_rows(
        _HEADER, "headers.csv"
    ):
        cells = dict.fromkeys(HEADER.split(","), "")
        cells |= {"name": name, "kind": "data", "hip": hip, "verdict": verdict, "since": since}
        cells |= {"until": until, "as_of": as_of, "source": source, "note": note}
        try:
            row = parse_row(library, list(cells.values()))
        except ValueError as error:
            problems.append(f"headers.csv: {name}: {error}")
            continue
        rows[name] = (*rows.get(name, ()), row)
    if problems:
        raise bad_mapping(problems)
    return rows


def resolve_header(include: str, target: Target) -> Resolution | None:
    """What becomes of ``#include <include>`` on a target; ``None`` for a header that is not CUDA's.

    A row whose name ends in ``*`` stands for a folder of headers; the longest one wins.

    Raises:
        AssessError: rows that cannot be read.
    """
    rows = _header_rows()
    key = include if include in rows else _folder(include)
    return resolve_rows(include, rows[key], target, None) if key else None


def library_of_header(include: str) -> str:
    """The key of the library that a header belongs to, "" for one that is not CUDA's.

    Raises:
        AssessError: rows that cannot be read.
    """
    rows = _header_rows()
    key = include if include in rows else _folder(include)
    return rows[key][0].library if key else ""


def _folder(include: str) -> str:
    """The longest row that stands for the folder of a header, "" for none."""
    return next((name for name in _folders() if include.startswith(name[:-1])), "")


@cache
def _folders() -> tuple[str, ...]:
    """The rows that stand for folders, the longest first."""
    return tuple(sorted((name for name in _header_rows() if name.endswith("*")), key=_longest))


def _longest(name: str) -> tuple[int, str]:
    return -len(name), name
