"""The GPU architectures that ROCm builds for, with the figures that porting turns on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from migrate.errors import AssessError
from migrate.knowledge.sources import evidence_of
from migrate.knowledge.tables import table_rows
from migrate.model.resolution import Evidence
from migrate.model.target import RocmRelease

_HEADER = (
    "gfx,products,family,wavefront_sizes,lds_kib,max_threads,vgprs,matrix_core,fp8_format,"
    "bf16_matrix,images,lacks,rocm_min,rocm_max,source,note"
)
_TARGET_ID = re.compile(r"(gfx[0-9a-f]+)((?::(?:xnack|sramecc)[+-])*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arch:
    """One gfx target.

    ``lds_kib`` is the most that one workgroup may have, in KiB; ``vgprs`` the vector registers a
    lane can address; ``matrix_core`` is MFMA, WMMA or none; ``fp8_format`` fnuz, OCP or none;
    ``images`` whether the image (texture) instructions exist, ``None`` where not known; ``lacks``
    names the ROCm libraries that are not built for it; ``rocm_min`` the first and ``rocm_max`` the
    last release that lists it, ``None`` if not known.
    """

    gfx: str
    products: str
    family: str
    wavefront_sizes: tuple[int, ...]
    lds_kib: int
    max_threads: int
    vgprs: int
    matrix_core: str
    fp8_format: str
    bf16_matrix: bool
    images: bool | None
    lacks: frozenset[str]
    rocm_min: RocmRelease | None
    rocm_max: RocmRelease | None
    evidence: tuple[Evidence, ...]
    note: str

    @property
    def wavefront_size(self) -> int:
        """The number of lanes that HIP code sees."""
        return self.wavefront_sizes[0]


@cache
def known_archs() -> MappingProxyType[str, Arch]:
    """Every known architecture by its gfx name."""
    return MappingProxyType({row[0]: _arch(row) for row in table_rows(_HEADER, "archs.csv")})


def parse_arch(text: str) -> Arch:
    """Read ``gfx942`` or a target ID such as ``gfx90a:xnack+``.

    Raises:
        AssessError: no architecture that the tables know.
    """
    match = _TARGET_ID.fullmatch(text.strip())
    arch = known_archs().get(match[1]) if match else None
    if arch is None:
        known = ", ".join(known_archs())
        raise AssessError(
            f"GPU architecture {text!r} is not known", slug="unknown-arch", hint=f"known: {known}"
        )
    return arch


def _arch(row: list[str]) -> Arch:
    (gfx, products, family, sizes, lds, threads, vgprs, matrix, fp8, bf16, images, lacks, first,
     last, source, note) = row  # fmt: skip
    return Arch(
        gfx=gfx, products=products, family=family,
        wavefront_sizes=tuple(map(int, sizes.split())),
        lds_kib=int(lds), max_threads=int(threads), vgprs=int(vgprs),
        matrix_core=matrix, fp8_format=fp8, bf16_matrix=bf16 == "yes",
        images={"yes": True, "no": False}.get(images), lacks=frozenset(lacks.split()),
        rocm_min=RocmRelease.parse(first) if first else None,
        rocm_max=RocmRelease.parse(last) if last else None,
        evidence=evidence_of(source), note=note,
    )  # fmt: skip
