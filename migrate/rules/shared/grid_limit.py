"""Launches of 2^32 threads and more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.shared.sources import LAUNCH_CHECKS

_MOST = 1 << 32
_DIM3 = re.compile(r"dim3\s*[({]([^(){},]*)(?:,[^(){}]*)?[)}]")


def _check(code: Code) -> Iterator[Hit]:
    for launch in code.facts.launches:
        grid, block = _first(code, launch.grid), _first(code, launch.block)
        if grid * block >= _MOST:
            yield code.hit(launch, detail=f"{grid} blocks of {block} threads are {grid * block}.")


def _first(code: Code, text: str) -> int:
    """The size in x, where it is a constant; 0 elsewhere."""
    match = _DIM3.fullmatch(text)
    return max(code.values_of(match[1] if match else text), default=0)


RULE = Rule(
    id="HA-K124",
    slug="grid-of-threads",
    title="Launch of 2^32 threads and more",
    family=Family.SHARED,
    tier=Tier.KERNEL,
    why="HIP counts a grid in threads: blocks times threads of a block must stay below 2^32 in "
    "each dimension. CUDA limits only the number of blocks, to 2^31 - 1, so a launch that is right "
    "there returns hipErrorInvalidConfiguration.",
    fix="Launch fewer blocks, and let each thread walk over its elements with the stride of the "
    "grid.",
    evidence=(
        LAUNCH_CHECKS,
        RuleEvidence(
            "HIP documentation: hardware features, maximum number of threads per grid",
            "ROCm/rocm-systems:projects/hip/docs/reference/hardware_features.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void k(int* p) { p[blockIdx.x] = 1; }\n"
        "void f(int* p) { k<<<(1u << 24), 512>>>(p); }",
        hip="__global__ void k(int* p) { p[blockIdx.x] = 1; }\n"
        "void f(int* p) { k<<<(1u << 16), 512>>>(p); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
