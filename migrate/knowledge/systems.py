"""The operating systems that a ROCm release supports."""

from __future__ import annotations

from functools import cache

from migrate.knowledge.tables import table_rows
from migrate.model.target import RocmRelease

_HEADER = "release,system,versions,as_of,source,note"


@cache
def _rows() -> tuple[tuple[RocmRelease, str, tuple[str, ...]], ...]:
    return tuple(
        (RocmRelease.parse(row[0]), row[1], tuple(row[2].split()))
        for row in table_rows(_HEADER, "systems.csv")
    )


def supported_versions(system: str, rocm: RocmRelease) -> tuple[str, ...] | None:
    """The versions of a system that a release supports, none where it supports no version.

    None where no matrix of the release is known: that of the release itself, or from 10.0 on that
    of 7.14, which it continues.
    """
    told = RocmRelease(7, 14) if rocm.has(RocmRelease(7, 14)) else rocm
    rows = [row for row in _rows() if row[0] == told]
    if not rows:
        return None
    return next((versions for _, name, versions in rows if name == system), ())
