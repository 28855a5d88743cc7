"""Textures and surfaces on a GPU that has no image instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import (
    Driver,
    Example,
    Family,
    HazardKind,
    Hit,
    Holds,
    Rule,
    RuleEvidence,
    Trait,
)
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIP_LANGUAGE, HIP_TEXTURES

_NAMES = re.compile(
    r"(?:tex|surf)(?:[123]D|Cubemap)\w*|cuda(?:Create|Destroy|Get)(?:Texture|Surface)Object\w*"
    r"|cudaMalloc(?:3D|Mipmapped)?Array|cu(?:Tex|Surf)Object\w+|cuArray(?:3D)?Create\w*"
    r"|cuMipmappedArrayCreate"
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        yield code.hit(use)


RULE = Rule(
    id="HA-K184",
    slug="texture-without-images",
    title="Texture or surface on a GPU without image instructions",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="This GPU has no image instructions: device code that fetches from a texture or a surface "
    "does not compile for it, and the runtime makes no arrays and no texture objects.",
    fix="Read plain or pitched memory and write border handling and interpolation in code, behind "
    "an inline function so that GPUs with image instructions keep theirs.",
    holds=Holds(traits=(Trait.NO_IMAGES,)),
    evidence=(
        RuleEvidence(
            "Texture code is refused on MI300",
            "https://github.com/ROCm/legacy-rocm-build/issues/3420",
            RocmRelease(6, 2),
        ),
        HIP_LANGUAGE,
        HIP_TEXTURES,
    ),
    example=Example(
        cuda="__global__ void k(cudaTextureObject_t t, float* a) { a[0] = tex2D<float>(t, 0, 0); }",
        hip="__global__ void k(const float* t, float* a) { a[0] = t[0]; }",
    ),
    driver=Driver.TEXTURE_SITE,
    kind=HazardKind.TEXTURE,
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    check=_check,
)
