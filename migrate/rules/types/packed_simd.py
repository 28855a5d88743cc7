"""Arithmetic on the bytes and half-words packed in a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.types.named import missing_uses
from migrate.rules.types.sources import DEVICE_TABLE

_FORM = re.compile(r"__v[a-z_]+[24]|__vi(?:add)?m(?:ax|in)\w*|__vib?m(?:ax|in)\w*")


def _check(code: Code) -> Iterator[Hit]:
    for use in missing_uses(code, _FORM):
        yield code.hit(use)


RULE = Rule(
    id="HA-K143",
    slug="packed-simd",
    title="Packed arithmetic on bytes or half-words in a word",
    family=Family.TYPES,
    tier=Tier.KERNEL,
    why="HIP has none of the functions on four bytes or two half-words in a 32-bit word, and AMD "
    "GPUs have few such instructions: a replacement takes several, and a kernel built on them "
    "gains little from packing.",
    fix="Write each as a function on the parts; the compiler finds packed 16-bit instructions in "
    "code on short2 and ushort2. See whether the algorithm is still the best without them.",
    evidence=(DEVICE_TABLE,),
    example=Example(
        cuda="__device__ unsigned f(unsigned a, unsigned b) { return __vadd4(a, b); }",
        hip="__device__ unsigned f(unsigned a, unsigned b) {\n"
        "  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);\n}",
    ),
    driver=Driver.OF_NAME,
    verdict=Verdict.MISSING,
    confidence=Confidence.CERTAIN,
    check=_check,
)
