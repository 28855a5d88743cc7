"""CUB's warp collectives without a width."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code

_COUNTS = frozenset(f"CUB_{name}WARP_THREADS" for name in ("", "LOG_", "PTX_", "PTX_LOG_"))
"""CUB's macros for the number of threads in a warp."""
_WITH_WIDTH = 2
"""``WarpReduce<T, width>`` and ``WarpScan<T, width>``."""


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.CUB_WARP):
        if mark.symbol in {"cub::WarpReduce", "cub::WarpScan"} and len(mark.values) < _WITH_WIDTH:
            yield code.hit(mark)
    # A tree with macros of these names is CUB itself or an old copy of it.
    unsure = not _COUNTS.isdisjoint(code.base.macro_names)
    for use in code.uses(*_COUNTS):
        yield code.hit(use, confidence=Confidence.POSSIBLE if unsure else Confidence.CERTAIN)


RULE = Rule(
    id="HA-K011",
    slug="warp-collective-default-width",
    title="CUB's warp collective at its default width",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="The default width of CUB's WarpReduce and WarpScan is 32 threads, hipCUB's is this GPU's "
    "wavefront of 64 lanes: where warps are counted by 32, two of them are put together, with one "
    "piece of temporary storage too many.",
    fix="Give the width as second template argument (32 keeps the groups), or count warps by the "
    "wavefront.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "hipCUB: default width of the warp collectives",
            "https://rocm.docs.amd.com/projects/hipCUB/en/docs-6.1.1/what-is-hipcub.html",
            RocmRelease(6, 1),
        ),
    ),
    example=Example(
        cuda="__device__ int f(int v, cub::WarpReduce<int>::TempStorage& t) {\n"
        "  return cub::WarpReduce<int>(t).Sum(v);\n}",
        hip="__device__ int f(int v, cub::WarpReduce<int, 32>::TempStorage& t) {\n"
        "  return cub::WarpReduce<int, 32>(t).Sum(v);\n}",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
