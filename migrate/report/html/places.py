"""Where things are on the page: places with their links, and how many rows a table holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from migrate.report.html.anchors import api_anchor, file_anchor
from migrate.report.html.evidence import Link
from migrate.report.numbers import count


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many rows the page holds; what is left out is counted beside the total."""

    findings: int = 2500
    excerpts: int = 800
    beside: int = 500
    members: int = 60
    of_rule: int = 300
    sites: int = 12
    apis: int = 2000
    places: int = 25
    files: int = 3000
    kernels: int = 1000


@dataclass(frozen=True, slots=True)
class Shown:
    """How many rows of a table are on the page."""

    shown: int
    total: int

    @property
    def words(self) -> str:
        """``9``, or ``showing 2,500 of 20,000; the rest is in the JSON``."""
        if self.shown == self.total:
            return count(self.total)
        return f"showing {count(self.shown)} of {count(self.total)}; the rest is in the JSON"


@dataclass(frozen=True, slots=True)
class Place:
    """A path and line, with the anchor of the file's row ("" where it has none on the page)."""

    path: str
    line: int
    anchor: str


@dataclass(frozen=True, slots=True)
class PlaceLines:
    """A path with several lines of it."""

    path: str
    lines: tuple[int, ...]
    anchor: str


@dataclass(frozen=True, slots=True)
class Linker:
    """What has a row on the page, and with it an anchor to link to."""

    files: set[str]
    apis: set[str]
    drivers: set[str]
    evidence: Mapping[str, tuple[Link, ...]]
    limits: Limits

    def place(self, path: str, line: int) -> Place:
        """A place with its file's anchor."""
        return Place(path, line, file_anchor(path) if path in self.files else "")

    def by_file(self, places: Iterable[tuple[str, int]]) -> tuple[PlaceLines, ...]:
        """Places gathered by their file, in the order of the first."""
        lines: dict[str, list[int]] = {}
        for path, line in places:
            lines.setdefault(path, []).append(line)
        return tuple(
            PlaceLines(path, tuple(numbers), file_anchor(path) if path in self.files else "")
            for path, numbers in lines.items()
        )

    def symbol(self, name: str) -> str:
        """The anchor of a name's row; "" where it has none."""
        return api_anchor(name) if name in self.apis else ""
