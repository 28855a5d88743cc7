"""Cooperative groups' collectives and partitions that the target's release does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIP_CHANGELOG

_NAMES = re.compile(
    r"cooperative_groups::(?:reduce(?:_(?:update|store)_async)?|(?:in|ex)clusive_scan(?:_update)?"
    r"|invoke_one(?:_broadcast)?|(?:labeled|binary)_partition|block_tile_memory"
    r"|plus|less|greater|bit_(?:and|or|xor)"
    r"|\w+::barrier_(?:arrive|wait)|\w+::arrival_token)"
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        if not code.verdict(use).mechanical:
            yield code.hit(use, verdict=code.verdict(use))


RULE = Rule(
    id="HA-K188",
    slug="group-collective",
    title="Cooperative group function that this release lacks",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP's cooperative groups came piece by piece: split barriers of blocks and grids with "
    "7.12, reduce with 7.13 (right for one-dimensional blocks alone until 10.0), scans with 10.0; "
    "invoke_one, labeled_partition and the asynchronous updates are not there.",
    fix="Write the reduction or scan with the tile's shfl_xor or shfl_up; let the thread of rank 0 "
    "stand for invoke_one; take a whole sync for arrive and wait.",
    evidence=(
        HIP_CHANGELOG,
        RuleEvidence(
            "The change that adds cooperative_groups::reduce",
            "https://github.com/ROCm/rocm-systems/pull/3784",
            RocmRelease(7, 13),
        ),
    ),
    example=Example(
        cuda="#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__device__ int f(cg::thread_block_tile<32> t, int x) "
        "{ return cg::reduce(t, x, cg::plus<int>()); }",
        hip="#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__device__ int f(cg::thread_block_tile<32> t, int x) {\n"
        "for (int i = 16; i > 0; i /= 2) x += t.shfl_xor(x, i);\nreturn x; }",
    ),
    driver=Driver.COOPERATIVE_GROUPS_SITE,
    kind=HazardKind.COOPERATIVE_GROUPS,
    verdict=Verdict.LATER,
    check=_check,
)
