"""__match_any_sync and __match_all_sync, which are loops on AMD GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls("__match_any_sync"):
        yield code.hit(call)


RULE = Rule(
    id="HA-K035",
    slug="match-is-a-loop",
    title="Match of values among lanes, a loop on AMD GPUs",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="No instruction does it: HIP goes round once for each distinct value that the lanes hold, "
    "up "
    "to 64 times in a wavefront of 64 lanes.",
    fix="Leave it where lanes mostly agree; for many distinct values sort or count in shared "
    "memory.",
    holds=Holds(since=RocmRelease(6, 2)),
    evidence=(
        RuleEvidence(
            "HIP headers: __match_any",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_warp_sync_functions.h",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="__device__ int f(int v) { return __popcll(__match_any_sync(~0ull, v)); }",
        hip="__device__ int f(int v) { return __popcll(__ballot(v == __shfl(v, 0))); }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
