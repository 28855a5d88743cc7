"""CUDA's libraries by the names that they are linked with, and ROCm's in their place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from migrate.knowledge.tables import table_rows

_HEADER = "cuda,hip,as_of,source,note"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedLibrary:
    """A row of mappings/linked_libraries.csv; ``hip`` is empty for what is left out."""

    cuda: str
    hip: str
    as_of: str
    source: str
    note: str


@cache
def linked_libraries() -> MappingProxyType[str, LinkedLibrary]:
    """Every library by its name behind ``-l``."""
    names = _HEADER.split(",")
    rows = (
        LinkedLibrary(**dict(zip(names, row, strict=True)))
        for row in table_rows(_HEADER, "linked_libraries.csv")
    )
    return MappingProxyType({row.cuda: row for row in rows})
