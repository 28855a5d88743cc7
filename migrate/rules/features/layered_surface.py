"""Layered surfaces, whose layer HIP takes for a mip level."""

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
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like

_NAMES = re.compile(r"surf(?:[12]D|Cubemap)Layered(?:read|write)")


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        yield code.hit(use)


RULE = Rule(
    id="HA-K186",
    slug="layered-surface",
    title="Layered surface read or write",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP takes the layer for a mip level, so that all layers fall on one: what was written "
    "last is read back for every layer, and nothing reports an error.",
    fix="Make the array a 3D one without the layered flag, and take surf3Dread and surf3Dwrite.",
    holds=Holds(traits=(Trait.IMAGES,)),
    evidence=(
        RuleEvidence(
            "Layered surface functions pass the layer as a level of detail",
            "https://github.com/ROCm/rocm-systems/issues/11872",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "The same on gfx90a, gfx1100 and gfx1201",
            "https://github.com/ROCm/clr/issues/275",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void k(cudaSurfaceObject_t s) { surf2DLayeredwrite(1.f, s, 0, 0, 2); }",
        hip="__global__ void k(cudaSurfaceObject_t s) { surf3Dwrite(1.f, s, 0, 0, 2); }",
    ),
    driver=Driver.TEXTURE_SITE,
    kind=HazardKind.TEXTURE,
    check=_check,
)
