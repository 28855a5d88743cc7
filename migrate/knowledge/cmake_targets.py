"""The imported targets of CMake's CUDA toolkit, and the targets of ROCm's packages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from migrate.knowledge.tables import bad_mapping, table_rows

_HEADER = "cuda,package,hip,becomes,since,as_of,source,note"
_BECOMES = frozenset({"renamed", "dropped", "replaced", "missing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CmakeTarget:
    """A row of mappings/cmake_targets.csv: ``cuda`` stands without ``CUDA::``.

    ``becomes`` is a verdict's word, or ``dropped`` for what ROCm needs no target for.
    """

    cuda: str
    package: str
    hip: str
    becomes: str
    since: str
    as_of: str
    source: str
    note: str


@cache
def cmake_targets() -> MappingProxyType[str, CmakeTarget]:
    """Every target of CUDA by its name in small letters.

    Raises:
        AssessError: a row says that a target becomes something unknown.
    """
    names = _HEADER.split(",")
    rows = [
        CmakeTarget(**dict(zip(names, row, strict=True)))
        for row in table_rows(_HEADER, "cmake_targets.csv")
    ]
    unknown = [row.cuda for row in rows if row.becomes not in _BECOMES]
    if unknown:
        raise bad_mapping([f"cmake_targets.csv: {name} becomes nothing known" for name in unknown])
    return MappingProxyType({row.cuda.lower(): row for row in rows})
