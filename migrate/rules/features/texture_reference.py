"""Texture and surface references: the form of textures that CUDA 12 has dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIPIFY_RUNTIME

_NAMES = re.compile(
    r"texture|surface|textureReference|surfaceReference"
    r"|cuda(?:Unb|B)ind(?:Texture\w*|SurfaceToArray)"
    r"|cudaGet(?:Texture(?:Reference|AlignmentOffset)|SurfaceReference)|cu(?:Tex|Surf)Ref\w+"
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        yield code.hit(use)


RULE = Rule(
    id="HA-K183",
    slug="texture-reference",
    title="Texture or surface reference",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="References bound to memory are gone from CUDA 12 and deprecated in HIP since 3.8; HIP has "
    "no surface references. On GPUs without image instructions they do not work at all.",
    fix="Pass a texture object, or a plain pointer where tex1Dfetch was there for the cache: a "
    "const __restrict__ pointer reads as fast.",
    evidence=(
        HIPIFY_RUNTIME,
        RuleEvidence(
            "HIP's texture API: texture reference management is deprecated",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/reference/deprecated_api_list.html",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="texture<float, 1, cudaReadModeElementType> tex;\n"
        "__global__ void k(float* a) { a[0] = tex1Dfetch(tex, 0); }",
        hip="__global__ void k(float* a, const float* __restrict__ t) { a[0] = t[0]; }",
    ),
    driver=Driver.TEXTURE_SITE,
    kind=HazardKind.TEXTURE,
    check=_check,
)
