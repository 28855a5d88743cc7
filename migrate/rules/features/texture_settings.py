"""Settings of texture objects that HIP refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from migrate.model.verdict import Tier
from migrate.rules.code import Code, CodeUse
from migrate.rules.features.sources import HIP_TEXTURES

_CREATES = ("cudaCreateTextureObject", "cuTexObjectCreate")
_PITCHED = ("cudaResourceTypePitch2D", "CU_RESOURCE_TYPE_PITCH2D")
_LINEAR = ("cudaFilterModeLinear", "CU_TR_FILTER_MODE_LINEAR")
_AS_ELEMENT = ("cudaReadModeElementType",)
_NEVER = ("cudaTextureDesc::maxAnisotropy", "cudaTextureDesc::mipmapLevelBias")
_OF_CDNA2 = "gfx90a"


@dataclass(frozen=True, slots=True)
class _Settings:
    """What the code around one creation of a texture object says of it."""

    pitched: bool
    linear: CodeUse | None
    as_element: bool


def _check(code: Code) -> Iterator[Hit]:
    cdna2 = tuple(gfx for gfx in code.target.archs if gfx.startswith(_OF_CDNA2))
    for use in code.uses(*_NEVER):
        yield code.hit(use, detail="The setting is refused on every GPU.")
    for use in code.uses("tex2Dgather"):
        yield code.hit(use, archs=cdna2, detail="gfx90a has no gather.")
    for function in {use.function for use in code.uses(*_CREATES)}:
        found = _settings(code, function)
        if found.linear is None:
            continue
        if found.pitched:
            yield code.hit(found.linear, detail="Pitched memory takes no filter.")
        elif found.as_element:
            yield code.hit(
                found.linear, archs=cdna2, detail="gfx90a does not filter what is read as elements."
            )


def _settings(code: Code, function: str) -> _Settings:
    def first(*names: str) -> CodeUse | None:
        return next((use for use in code.uses(*names) if use.function == function), None)

    return _Settings(
        pitched=first(*_PITCHED) is not None,
        linear=first(*_LINEAR),
        as_element=first(*_AS_ELEMENT) is not None,
    )


RULE = Rule(
    id="HA-K187",
    slug="texture-settings",
    title="Texture object with settings that HIP refuses",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP makes no texture object for some settings that CUDA takes: linear filtering or "
    "normalised coordinates over pitched memory, anisotropy, a mip level bias; gfx90a does not "
    "filter values read as elements and has no gather. The call returns an error.",
    fix="Copy pitched memory into an array; on gfx90a interpolate in code.",
    holds=Holds(traits=(Trait.IMAGES,)),
    evidence=(
        HIP_TEXTURES,
        RuleEvidence(
            "Linear filter with element reads is refused on gfx90a and taken on gfx1100",
            "https://github.com/ROCm/clr/issues/276",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "Pitched memory with normalised coordinates or a linear filter",
            "https://github.com/ROCm/rocm-systems/pull/5540",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="void f(cudaTextureObject_t* t, cudaResourceDesc r, cudaTextureDesc d) {\n"
        "r.resType = cudaResourceTypePitch2D; d.filterMode = cudaFilterModeLinear;\n"
        "cudaCreateTextureObject(t, &r, &d, nullptr); }",
        hip="void f(cudaTextureObject_t* t, cudaResourceDesc r, cudaTextureDesc d) {\n"
        "r.resType = cudaResourceTypeArray; d.filterMode = cudaFilterModePoint;\n"
        "cudaCreateTextureObject(t, &r, &d, nullptr); }",
    ),
    driver=Driver.TEXTURE_SITE,
    kind=HazardKind.TEXTURE,
    check=_check,
)
