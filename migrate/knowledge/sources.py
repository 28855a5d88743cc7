"""The documents and data that the tables' claims come from."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from migrate.knowledge.tables import table_rows
from migrate.model.resolution import Evidence

_HEADER = "key,title,url,as_of"


@cache
def known_sources() -> MappingProxyType[str, Evidence]:
    """Every source by its key."""
    return MappingProxyType({row[0]: Evidence(*row) for row in table_rows(_HEADER, "sources.csv")})


def evidence_of(keys: str) -> tuple[Evidence, ...]:
    """The sources behind a cell of keys separated by ``;``.

    Raises:
        KeyError: a key that sources.csv lacks.
    """
    return tuple(known_sources()[key] for key in keys.split(";") if key)
