"""Arithmetic that rounds down, up or to zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.types.named import missing_uses
from migrate.rules.types.sources import CLANG_MATH, DEVICE_TABLE

_FORM = re.compile(r"__(?:[fd](?:add|sub|mul|div|rcp|sqrt)|fmaf?(?:_ieee)?)_r[duz]")


def _check(code: Code) -> Iterator[Hit]:
    for use in missing_uses(code, _FORM):
        yield code.hit(use)


RULE = Rule(
    id="HA-K142",
    slug="directed-rounding",
    title="Arithmetic with directed rounding",
    family=Family.TYPES,
    tier=Tier.KERNEL,
    why="HIP has the forms that round to nearest only. Bounds of intervals, error-free "
    "transformations and seeded rounding that are built on the directed forms lose what they "
    "promise when the ordinary operator stands in.",
    fix="Ask first whether the direction matters. If it does, widen by one unit in the last place "
    "(nextafterf on the nearest result), or set the GPU's rounding mode around the operation.",
    evidence=(DEVICE_TABLE, CLANG_MATH),
    example=Example(
        cuda="__device__ float low(float a, float b) { return __fadd_rd(a, b); }",
        hip="__device__ float low(float a, float b) { return nextafterf(a + b, -INFINITY); }",
    ),
    driver=Driver.OF_NAME,
    verdict=Verdict.MISSING,
    confidence=Confidence.CERTAIN,
    check=_check,
)
