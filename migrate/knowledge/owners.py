"""Which library a name belongs to by its prefix, where a tree may hold that library itself."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from migrate.knowledge.tables import table_rows

_HEADER = "prefix,library"


def owned_by(name: str) -> str:
    """The key of the library whose names start as this one does; "" for none.

    Only libraries that come as source code are listed: in CUTLASS's own tree ``CUTLASS_CHECK`` and
    ``cute::Layout`` are no uses of CUDA. The longest prefix decides; behind one that ends in a
    small letter no small letter may follow.
    """
    prefixes = _prefixes()
    for size in range(min(len(name), max(map(len, prefixes))), 0, -1):
        library = prefixes.get(name[:size])
        if library and not (name[size - 1].islower() and name[size : size + 1].islower()):
            return library
    return ""


@cache
def _prefixes() -> MappingProxyType[str, str]:
    return MappingProxyType({row[0]: row[1] for row in table_rows(_HEADER, "library_prefixes.csv")})
