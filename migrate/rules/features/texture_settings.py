"""Settings of texture objects that HIP refuses."""

from __future__ import annotations

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
from migrate.model.verdict import Tier
from migrate.rules.code import Code, CodeUse
from migrate.rules.features.sources import HIP_TEXTURES

_CREATES = ("cudaCreateTextureObject", "cuTexObjectCreate")
_PITCHED = ("cudaResourceTypePitch2D", "CU_RESOURCE_TYPE_PITCH2D")
_LINEAR = ("cudaFilterModeLinear", "CU_TR_FILTER_MODE_LINEAR")
_AS_ELEMENT = ("cudaReadModeElementType",)
_NEVER = ("cudaTextureDesc::maxAnisotropy", "cudaTextureDesc::mipmapLevelBias")
_OF_CDNA2 = "gfx90a"


def _check(code: Code) -> Iterator[Hit]:
    cdna2 = tuple(gfx for gfx in code.target.archs if gfx.startswith(_OF_CDNA2))
    for use in code.uses(*_NEVER):
        yield code.hit(use, detail="The setting is refused on every GPU.")
    for use in code.uses("tex2Dgather"):
        yield code.hit(use, archs=cdna2, detail="gfx90a has no gather.")
    for linear in code.uses(*_LINEAR):
        first, last = _description(code, linear)
        if not last:
            continue
        if _says(code, _PITCHED, linear.function, first, last):
            yield code.hit(linear, detail="Pitched memory takes no filter.")
        elif _says(code, _AS_ELEMENT, linear.function, first, last):
            yield code.hit(
                linear, archs=cdna2, detail="gfx90a does not filter what is read as elements."
            )


def _description(code: Code, use: CodeUse) -> tuple[int, int]:
    """The lines that describe the texture object around a use: from the one before to its making.

    The last one is 0 where the function makes none behind the use.
    """
    made = sorted(one.line for one in code.uses(*_CREATES) if one.function == use.function)
    first = max((line for line in made if line < use.line), default=0)
    return first, next((line for line in made if line >= use.line), 0)


def _says(code: Code, names: tuple[str, ...], function: str, first: int, last: int) -> bool:
    return any(use.function == function and first < use.line <= last for use in code.uses(*names))


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
