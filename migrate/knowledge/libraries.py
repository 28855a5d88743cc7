"""The libraries and tools that CUDA programs use, and what ROCm has in their place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from migrate.knowledge.tables import table_rows

_HEADER = "key,title,kind,rocm,compatibility,driver,since,as_of,source,note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A row of mappings/libraries.csv; ``key`` is also the name of its API table, if it has one."""

    key: str
    title: str
    kind: str
    rocm: str
    compatibility: str
    driver: str
    since: str
    as_of: str
    source: str
    note: str


@cache
def known_libraries() -> MappingProxyType[str, Library]:
    """Every library by its key."""
    names = _HEADER.split(",")
    return MappingProxyType(
        {
            row[0]: Library(**dict(zip(names, row, strict=True)))
            for row in table_rows(_HEADER, "libraries.csv")
        }
    )
