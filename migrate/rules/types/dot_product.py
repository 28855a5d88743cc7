"""Dot products of packed integers: ``__dp4a``, ``__dp2a``."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.types.sources import DEVICE_TABLE, DOT_BUILTINS, GGML_DOT

_SDOT4 = ("gfx906", "gfx908", "gfx90a", "gfx94", "gfx95", "gfx103")
_SUDOT4 = ("gfx11", "gfx12")


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses("__dp4a", "__dp2a_lo", "__dp2a_hi"):
        detail = _builtins(code.target.archs) if use.symbol == "__dp4a" else ""
        yield code.hit(use, detail=detail)


def _builtins(archs: tuple[str, ...]) -> str:
    """What a wrapper for signed bytes calls on each GPU of the target."""
    said = []
    for gfx in archs:
        if gfx.startswith(_SDOT4):
            said.append(f"{gfx} has __builtin_amdgcn_sdot4(a, b, c, false)")
        elif gfx.startswith(_SUDOT4):
            said.append(f"{gfx} has __builtin_amdgcn_sudot4(true, a, true, b, c, false)")
        else:
            said.append(f"{gfx} has no such instruction: multiply the bytes one by one")
    return "; ".join(said) + "."


RULE = Rule(
    id="HA-K144",
    slug="packed-dot-product",
    title="Dot product of packed integers",
    family=Family.TYPES,
    tier=Tier.KERNEL,
    why="HIP has no __dp4a and no __dp2a. AMD GPUs have the dot product of four bytes, but under "
    "another builtin in each family, so that a wrapper has to choose by GPU.",
    fix="Write one wrapper with the builtin of each GPU family that you build for, and products of "
    "the parts for the others.",
    evidence=(DEVICE_TABLE, DOT_BUILTINS, GGML_DOT),
    example=Example(
        cuda="__device__ int f(int a, int b, int c) { return __dp4a(a, b, c); }",
        hip="__device__ int f(int a, int b, int c) {\n"
        "  return __builtin_amdgcn_sdot4(a, b, c, false);\n}",
    ),
    driver=Driver.OF_NAME,
    verdict=Verdict.MISSING,
    confidence=Confidence.CERTAIN,
    check=_check,
)
