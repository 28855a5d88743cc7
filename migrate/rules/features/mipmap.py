"""Kinds of textures that the runtime for Linux does not make."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIP_TEXTURES

_NAMES = re.compile(
    r"cudaMallocMipmappedArray|cudaGetMipmappedArrayLevel|cudaResourceTypeMipmappedArray"
    r"|cuMipmappedArray(?:Create|GetLevel)|CU_RESOURCE_TYPE_MIPMAPPED_ARRAY"
    r"|cudaExternalMemoryGetMappedMipmappedArray|cuExternalMemoryGetMappedMipmappedArray"
    r"|cudaArray(?:Cubemap|Sparse|DeferredMapping)|cuMemMapArrayAsync"
    r"|CUDA_ARRAY3D_(?:CUBEMAP|SPARSE|DEFERRED_MAPPING)"
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        yield code.hit(use)


RULE = Rule(
    id="HA-K185",
    slug="mipmap-or-cubemap",
    title="Mipmapped, cubemap or sparse array",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP's functions for mipmapped arrays return hipErrorNotSupported on Linux, whatever the "
    "GPU; cubemap arrays are refused with them, and sparse arrays do not exist.",
    fix="Keep one array and one texture object a level (or a face) and choose between them in the "
    "kernel; levels between two are interpolated in code.",
    evidence=(
        HIP_TEXTURES,
        RuleEvidence(
            "HIP's arrays: mipmaps need what the Linux device lacks, no cubemap flag",
            "ROCm/clr:hipamd/src/hip_memory.cpp",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="void f(cudaMipmappedArray_t* a, cudaChannelFormatDesc* d, cudaExtent e) "
        "{ cudaMallocMipmappedArray(a, d, e, 4); }",
        hip="",
    ),
    driver=Driver.TEXTURE_SITE,
    kind=HazardKind.TEXTURE,
    check=_check,
)
