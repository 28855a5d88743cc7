"""Cooperative groups of 32 threads where a wavefront has 64 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.TILE):
        if 32 in code.values_of(mark.values[0]):  # noqa: PLR2004 - the rule's name
            yield code.hit(mark)


RULE = Rule(
    id="HA-K009",
    slug="tile-of-32",
    title="Tile of 32 threads, half a wavefront",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="A thread_block_tile of 32 is right on this GPU, its shuffles and votes stay inside it; "
    "it is "
    "half a wavefront of 64 lanes, so that two of them share one.",
    fix="Leave it, or make the size a parameter where all 64 lanes can work on one group.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP: cooperative groups, tile sizes",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_runtime_api/cooperative_groups.html",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="namespace cg = cooperative_groups;\n__global__ void k() {\n"
        "  auto t = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  t.sync();\n}",
        hip="namespace cg = cooperative_groups;\n__global__ void k() {\n"
        "  auto t = cg::tiled_partition<64>(cg::this_thread_block());\n"
        "  t.sync();\n}",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
