"""Cooperative groups of more threads than a wavefront has lanes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.warps import narrower_archs

_SIZE = "It has {} threads."


def _check(code: Code) -> Iterator[Hit]:
    marks = {mark.line for mark in code.marks(MarkKind.TILE)}
    for mark in code.marks(MarkKind.TILE):
        for size in code.values_of(mark.values[0]):
            archs = narrower_archs(code, size)
            if archs and size & (size - 1) == 0:
                yield code.hit(mark, detail=_SIZE.format(size), archs=archs)
    for tile in code.tile_sizes:
        archs = narrower_archs(code, tile.size)
        if archs and tile.line not in marks:
            detail = _SIZE.format(tile.size)
            yield code.hit_place(
                tile.line, tile.column, "thread_block_tile", tile.function, detail=detail,
                archs=archs,
            )  # fmt: skip


RULE = Rule(
    id="HA-K008",
    slug="tile-over-wavefront",
    title="Tile of more threads than a wavefront has lanes",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="HIP's thread_block_tile holds a power of two up to the wavefront, 32 or 64 lanes by GPU; "
    "a "
    "static assertion refuses a larger one, which CUDA takes with memory for it.",
    fix="Make the tile's size a parameter per GPU, and combine tiles through shared memory.",
    evidence=(
        RuleEvidence(
            "HIP: cooperative groups, tile sizes",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_runtime_api/cooperative_groups.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "HIP headers: the assertion on the tile's size",
            "ROCm/rocm-systems:projects/clr/hipamd/include/hip/amd_detail/amd_hip_cooperative_groups.h",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="namespace cg = cooperative_groups;\n__global__ void k() {\n"
        "  auto t = cg::tiled_partition<128>(cg::this_thread_block());\n"
        "  t.sync();\n}",
        hip="namespace cg = cooperative_groups;\n__global__ void k() {\n"
        "  auto t = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  t.sync();\n}",
    ),
    driver=Driver.COOPERATIVE_GROUPS_SITE,
    verdict=Verdict.CHANGED,
    confidence=Confidence.CERTAIN,
    check=_check,
)
