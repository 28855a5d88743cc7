"""__reduce_and_sync and its kind with a mask that may have holes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.warps import unsure_in_newer_cuda

_BITWISE = ("__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync")
_FULL = frozenset({0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, -1})


def _check(code: Code) -> Iterator[Hit]:
    yield from unsure_in_newer_cuda(code, _calls(code))


def _calls(code: Code) -> Iterator[Hit]:
    for call in code.calls(*_BITWISE):
        values = code.values_of(call.arguments[0]) if call.arguments else ()
        if not values or not _FULL.issuperset(values):
            yield code.hit(call)


RULE = Rule(
    id="HA-K034",
    slug="bitwise-reduce-with-holes",
    title="Bitwise reduction over a part of the lanes",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="Up to ROCm 7.12 the and, or and exclusive or over lanes work bit by bit only for masks "
    "without holes that start at lane 0; for others the result is the logical one, 0 or 1.",
    fix="Reduce with shuffles, or over all lanes with neutral values where a lane shall not count.",
    holds=Holds(since=RocmRelease(7, 0), until=RocmRelease(7, 13)),
    evidence=(
        RuleEvidence(
            "HIP change log: bitwise for all masks from 7.13 on",
            "ROCm/rocm-systems:projects/clr/CHANGELOG.md",
            RocmRelease(7, 13),
        ),
        RuleEvidence(
            "HIP headers of 7.2.4: logical operators for masks with holes",
            "ROCm/rocm-systems:projects/clr/hipamd/include/hip/amd_detail/amd_warp_sync_functions.h",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__device__ unsigned f(unsigned long long m, unsigned v) {\n"
        "  return __reduce_or_sync(m, v);\n}",
        hip="__device__ unsigned f(unsigned v) { return __reduce_or_sync(~0ull, v); }",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
