"""How a mapping table is read: a header that must match, one claim a line, mistakes gathered."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from migrate.errors import AssessError
from migrate.knowledge.files import data_path


def table_lines(header: str, *parts: str) -> list[str]:
    """The lines of the table at ``mappings/<parts>`` after its header; none if it is not there.

    Raises:
        AssessError: the first line is not ``header``.
    """
    path = data_path("mappings", *parts)
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[0] != header:
        raise bad_mapping([f"{'/'.join(parts)}:1: the header must be {header}"])
    if not lines[-1]:
        lines.pop()
    del lines[0]
    return lines


def split_line(line: str) -> list[str]:
    """The cells of one line of a table; no cell holds a line break."""
    return next(csv.reader((line,))) if '"' in line else line.split(",")


def table_rows(header: str, *parts: str) -> Iterator[list[str]]:
    """The cells of every line of the table.

    Raises:
        AssessError: a line with too few or too many cells; all of them are named.
    """
    width = header.count(",") + 1
    rows = [split_line(line) for line in table_lines(header, *parts)]
    problems = [
        f"{'/'.join(parts)}:{number}: {len(row)} cells, not {width}"
        for number, row in enumerate(rows, 2)
        if len(row) != width
    ]
    if problems:
        raise bad_mapping(problems)
    yield from rows


def bad_mapping(problems: Iterable[str]) -> AssessError:
    """The error that shows every bad row together."""
    listed = tuple(problems)
    return AssessError(
        "\n  ".join(("mappings/ has rows that cannot be read:", *listed)), slug="bad-mapping"
    )
