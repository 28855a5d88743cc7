"""Which libraries a tree is itself: in CUTLASS's own tree, CUTLASS's names are no uses of CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterable

from migrate.knowledge.owners import owned_by

_OWN_HEADERS = {
    "amgx": ("amgx_c.h",),
    "cooperative_groups": ("cooperative_groups/details/helpers.h",),
    "cub": ("cub/cub.cuh", "cub/version.cuh"),
    "cudnn_frontend": ("cudnn_frontend.h",),
    "cutlass": ("cutlass/cutlass.h", "cute/tensor.hpp"),
    "libcudacxx": ("cuda/std/version", "cuda/std/cstddef", "cuda/std/detail/__config"),
    "nccl": ("nccl.h.in", "nccl.h"),
    "nvshmem": ("nvshmem.h",),
    "nvtx": ("nvtx3/nvToolsExt.h", "nvtx3/nvtx3.hpp"),
    "rapids": ("cudf/types.hpp", "cuvs/core/bitset.hpp", "rmm/device_uvector.hpp"),
    "thrust": ("thrust/version.h",),
    "wmma": ("crt/mma.h",),
}
"""Headers that a tree holds only when it is that library."""
_HEADER = re.compile(
    "(?:^|/)("
    + "|".join(re.escape(name) for names in _OWN_HEADERS.values() for name in names)
    + ")$"
)
_LIBRARY = {name: library for library, names in _OWN_HEADERS.items() for name in names}


def own_libraries(paths: Iterable[str]) -> frozenset[str]:
    """The keys of the libraries whose own headers are among a project's files."""
    return frozenset(
        _LIBRARY[match[1]] for path in paths if (match := _HEADER.search(path)) is not None
    )


def is_own(symbol: str, libraries: frozenset[str]) -> bool:
    """Whether a name belongs to a library that the tree is itself."""
    return bool(libraries) and owned_by(symbol) in libraries
