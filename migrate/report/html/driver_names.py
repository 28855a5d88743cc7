"""Which driver of effort the uses of a name count for, from what its row says: for links only.

The estimate decides by each use; ``tests/report/test_driver_names.py`` holds the two together.
"""

from __future__ import annotations

import re

from migrate.model.assessment import ApiRow
from migrate.model.effort import DriverCount
from migrate.model.finding import Finding
from migrate.model.rule import HazardKind
from migrate.report.ranking import is_work

_SITE_NAMES = (
    ("matrix_kernel", re.compile(r"nvcuda::|wmma::|(?:wgmma|wmma|mma|tcgen05)\.|ldmatrix")),
    ("cooperative_groups_site", re.compile(r"(?:cooperative_groups|cg)::")),
    (
        "texture_site",
        re.compile(
            r"(?:tex|surf)(?:[123]D|Cubemap)|(?:texture|surface)$"
            r"|cuda(?:(?:Unb|B)ind(?:Texture|Surface)|(?:Create|Destroy)(?:Texture|Surface)Object)"
        ),
    ),
    (
        "warp_site",
        re.compile(
            r"__(?:shfl(?:_(?:up|down|xor))?(?:_sync)?|(?:all|any|ballot)(?:_sync)?"
            r"|(?:match_(?:all|any)|reduce_(?:add|min|max|and|or|xor))_sync"
            r"|activemask|syncwarp|fns)$|warpSize$"
        ),
    ),
)
_KIND_OF_DRIVER = {
    "warp_site": "warp width",
    "ptx_block": "PTX",
    "texture_site": "textures",
    "cooperative_groups_site": "cooperative groups",
    "matrix_kernel": "matrix cores",
    "matrix_family": "matrix cores",
}
_KIND_WORDS = {
    HazardKind.WARP_WIDTH.value: "warp width",
    HazardKind.PTX.value: "PTX",
    HazardKind.TEXTURE.value: "textures",
    HazardKind.COOPERATIVE_GROUPS.value: "cooperative groups",
    HazardKind.MATRIX_CORES.value: "matrix cores",
    HazardKind.LAUNCH_BOUNDS_OR_LDS.value: "launch bounds and shared memory",
}
_OTHER = "other kernel hazards and device functions without counterpart"
_ON_DEVICE = "device"


def driver_of_name(row: ApiRow) -> str:
    """The driver that a name's uses count for; "" where only its findings tell, or nothing does."""
    if row.verdict.mechanical:
        return "" if row.library == _ON_DEVICE else "direct_reference"
    return next((driver for driver, form in _SITE_NAMES if form.match(row.name)), "")


def hazard_kinds(
    drivers: tuple[DriverCount, ...], findings: tuple[Finding, ...]
) -> tuple[str, ...]:
    """The kinds of kernel hazard that the driver ``hazard_kind`` counts, in words."""
    met = {driver.id for driver in drivers}
    kinds = [kind for driver, kind in _KIND_OF_DRIVER.items() if driver in met]
    named = {row.kind for row in findings if row.driver == "hazard_kind" and is_work(row)}
    kinds += [words for kind, words in _KIND_WORDS.items() if kind in named]
    if named - _KIND_WORDS.keys():
        kinds.append(_OTHER)
    return tuple(dict.fromkeys(kinds))
