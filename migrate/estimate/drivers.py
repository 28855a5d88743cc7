"""What drives effort: which driver a CUDA name belongs to, and how often each driver was met."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from migrate.knowledge.components import known_components
from migrate.model.verdict import Side, Verdict

SITE_DRIVERS: Final = (
    "semantic_site",
    "warp_site",
    "ptx_block",
    "texture_site",
    "cooperative_groups_site",
)
"""The drivers that count places in the source."""

HAZARD_KINDS: Final = (
    "warp-width",
    "ptx",
    "texture",
    "cooperative-groups",
    "matrix-cores",
    "launch-bounds-or-lds",
    "other",
)
"""What the driver ``hazard_kind`` counts, each kind once."""

_KIND_OF_DRIVER: Final = MappingProxyType(
    {
        "warp_site": "warp-width",
        "ptx_block": "ptx",
        "texture_site": "texture",
        "cooperative_groups_site": "cooperative-groups",
    }
)
LIBRARY_DRIVERS: Final = MappingProxyType(
    {
        "drop_in": "drop_in_library",
        "partial": "partial_library",
        "none": "no_counterpart",
        "profiler": "profiler",
        "communication": "communication",
    }
)
"""The words of mappings/components.csv, column ``driver``, as drivers."""

_DEVICE_LIBRARY: Final = "device"
_DEVICE_KINDS: Final = frozenset({"asm", "builtin", "launch"})
_DATA_KINDS: Final = frozenset({"data", "member"})
_SITE_NAMES: Final = (
    ("matrix_kernel", r"nvcuda::|wmma::|(?:wgmma|wmma|mma|tcgen05)\.|ldmatrix"),
    ("cooperative_groups_site", r"(?:cooperative_groups|cg)::"),
    ("texture_site", r"(?:tex|surf)(?:[123]D|Cubemap)|(?:texture|surface)$"),
    (
        "texture_site",
        r"cuda(?:(?:Unb|B)ind(?:Texture|Surface)|(?:Create|Destroy)(?:Texture|Surface)Object)",
    ),
    ("warp_site", r"__shfl(?:_(?:up|down|xor))?(?:_sync)?$"),
    ("warp_site", r"__(?:all|any|ballot)(?:_sync)?$"),
    ("warp_site", r"__(?:match_(?:all|any)|reduce_(?:add|min|max|and|or|xor))_sync$"),
    ("warp_site", r"(?:__activemask|__syncwarp|__fns|warpSize)$"),
    ("ptx_block", r"(?:__)?asm(?:__)?$"),
)
_OTHER_LINES_COUNT: Final = 0.25
_CPP_UNITS_COUNT: Final = 0.5
_HOT_PART: Final = 0.1
_HOT_LEAST, _HOT_MOST = 1.0, 12.0
# A scan asks for every use, and a million uses have a few thousand names.
_NAMES_KEPT: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverEvidence:
    """What the scan counted for the effort estimate; active code only.

    Ported code, HIP code and vendored code stay out. Names in a tuple may repeat; each counts once.
    """

    active_uses: int = 0
    """All active uses; without one there is nothing to port, and every count is zero."""
    direct_references: int = 0
    """Active uses that a tool renames or leaves (``driver_for`` says ``direct_reference``)."""
    sites: Mapping[str, int] = field(default_factory=dict)
    """The places that findings name, by driver (SITE_DRIVERS)."""
    missing_apis: tuple[str, ...] = ()
    """Host API names for which ``driver_for`` says ``missing_api``."""
    cuda_lines: int = 0
    """Code lines of ``.cu`` and ``.cuh`` files."""
    other_lines: int = 0
    """Code lines of the other files with an active use or a kernel."""
    cuda_units: int = 0
    """``.cu`` files."""
    other_units: int = 0
    """C and C++ translation units with an active use."""
    kernels: int = 0
    hazard_kinds: tuple[str, ...] = ()
    """Kinds (HAZARD_KINDS) that the other fields do not already tell; ``other`` where a finding's
    driver is ``hazard_kind`` and no rule says better."""
    matrix_kernels: tuple[str, ...] = ()
    """Functions that program matrix cores themselves."""
    matrix_families: tuple[str, ...] = ()
    """Kernel template libraries in use for speed, as CUTLASS."""
    libraries: tuple[str, ...] = ()
    """Keys of mappings/components.csv whose API is used or which are linked."""
    profilers: tuple[str, ...] = ()
    """Profilers that scripts call; where libraries of them are called too, the more count."""
    gpu_aware_mpi: bool = False
    """Device buffers go through MPI; counts as communication, once with NCCL and its kind."""
    build_systems: tuple[str, ...] = ()
    test_files: int = 0
    packages: int = 0

    @property
    def kloc(self) -> float:
        """Effective thousand lines of GPU code: the size that the model speaks of."""
        return (self.cuda_lines + _OTHER_LINES_COUNT * self.other_lines) / 1000


def count_drivers(evidence: DriverEvidence) -> dict[str, float]:
    """Count every driver that was met, by its id in mappings/effort.toml.

    Raises:
        ValueError: ``sites`` or ``hazard_kinds`` hold a word of no known meaning.
    """
    if evidence.active_uses == 0:
        return {}
    counts: dict[str, float] = {
        **dict.fromkeys(("interface_fixed", "kernel_fixed", "ecosystem_fixed", "test_triage"), 1),
        **_site_counts(evidence.sites),
        **_library_counts(evidence),
        "direct_reference": evidence.direct_references,
        "missing_api": len(set(evidence.missing_apis)),
        "gpu_kloc": evidence.kloc,
        "translation_unit": evidence.cuda_units + _CPP_UNITS_COUNT * evidence.other_units,
        "hazard_kind": len(_hazard_kinds(evidence)),
        "matrix_kernel": len(set(evidence.matrix_kernels)),
        "matrix_family": len(set(evidence.matrix_families)),
        "kernel_validated": evidence.kernels,
        "hot_kernel": _hot_kernels(evidence.kernels),
        "build_system": len(set(evidence.build_systems)),
        "test_file": evidence.test_files,
        "package": evidence.packages,
    }
    return {driver: n for driver, n in counts.items() if n}


def _site_counts(sites: Mapping[str, int]) -> Mapping[str, int]:
    unknown = sorted(set(sites) - set(SITE_DRIVERS))
    if unknown:
        raise ValueError(f"not drivers that count sites: {unknown}")
    return sites


def _library_counts(evidence: DriverEvidence) -> dict[str, int]:
    """Each library once for every driver that it has; communication once for all of them."""
    counts = dict.fromkeys(LIBRARY_DRIVERS.values(), 0)
    for library in set(evidence.libraries):
        for driver in library_drivers(library):
            counts[driver] += 1
    together = counts["communication"] > 0 or evidence.gpu_aware_mpi
    profilers = max(counts["profiler"], len(set(evidence.profilers)))
    return {**counts, "profiler": profilers, "communication": int(together)}


def _hazard_kinds(evidence: DriverEvidence) -> set[str]:
    unknown = sorted(set(evidence.hazard_kinds) - set(HAZARD_KINDS))
    if unknown:
        raise ValueError(f"not kinds of hazard: {unknown}")
    told = {kind for driver, kind in _KIND_OF_DRIVER.items() if evidence.sites.get(driver, 0) > 0}
    if evidence.matrix_kernels or evidence.matrix_families:
        told.add("matrix-cores")
    return told | set(evidence.hazard_kinds)


def _hot_kernels(kernels: int) -> float:
    return min(_HOT_MOST, max(_HOT_LEAST, _HOT_PART * kernels)) if kernels else 0.0


@lru_cache(maxsize=_NAMES_KEPT)
def site_driver_of_name(symbol: str) -> str | None:
    """The kernel driver that a name belongs to where it needs a person; None for the rest."""
    for driver, pattern in _SITE_NAMES:
        if re.match(pattern, symbol):
            return driver
    return None


def library_drivers(library: str) -> tuple[str, ...]:
    """The drivers that a library has as a whole, by its key; none for one that no table knows."""
    known = known_components().get(library)
    words = known.driver.split(";") if known and known.driver else []
    return tuple(LIBRARY_DRIVERS[word] for word in words)


@lru_cache(maxsize=_NAMES_KEPT)
def driver_for(library: str, symbol: str, verdict: Verdict, kind: str, side: Side) -> str:
    """The driver that one active use belongs to; "" where it drives nothing of its own.

    Args:
        library: the key of the name's library.
        symbol: the name as in the tables; ``asm`` statements by the word ``asm`` or a mnemonic.
        verdict: what becomes of it.
        kind: the tables' kind (function, data, builtin, ...), ``asm`` or ``launch``.
        side: where the code around it runs.
    """
    on_device = kind in _DEVICE_KINDS or library == _DEVICE_LIBRARY
    if verdict.mechanical:
        return "" if on_device else "direct_reference"
    if (driver := site_driver_of_name(symbol)) is not None:
        return driver
    if kind == "asm":
        return "ptx_block"
    if library == "macros" or symbol.startswith("__CUDA"):
        return "semantic_site"
    return _whole_library(library, verdict) or _by_name(verdict, kind, side, on_device=on_device)


def _whole_library(library: str, verdict: Verdict) -> str:
    """The library's own driver, where its price covers the call sites that have to change."""
    drivers = library_drivers(library)
    for driver in ("no_counterpart", "profiler"):
        if driver in drivers:
            return driver
    if verdict is Verdict.REPLACED and "partial_library" in drivers:
        return "partial_library"
    return ""


def _by_name(verdict: Verdict, kind: str, side: Side, *, on_device: bool) -> str:
    """The driver of a name whose place or API is priced by itself.

    A type or enumerator without counterpart is a place to look at: the API it belongs to is
    counted by its functions.
    """
    if on_device or (side is Side.DEVICE and kind in _DATA_KINDS):
        return "hazard_kind"
    if verdict is Verdict.CHANGED or kind in _DATA_KINDS:
        return "semantic_site"
    return "missing_api"
