"""A lane mask that leaves lanes out."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.lanes.builtins import MATCHES, REDUCTIONS, SHUFFLES, VOTES
from migrate.rules.literals import integer_of
from migrate.rules.warps import unsure_in_newer_cuda

_FULL = frozenset({0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, -1})


def _check(code: Code) -> Iterator[Hit]:
    yield from unsure_in_newer_cuda(code, _calls(code))


def _calls(code: Code) -> Iterator[Hit]:
    for call in code.calls(*SHUFFLES, *VOTES, *MATCHES, *REDUCTIONS):
        value = integer_of(call.arguments[0]) if call.arguments else None
        if value is not None and value > 0 and value not in _FULL:
            yield code.hit(call, detail=f"The mask is {call.arguments[0]}.")


RULE = Rule(
    id="HA-K033",
    slug="partial-lane-mask",
    title="Lane mask that leaves lanes out",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="HIP only checks the mask: every lane that comes by takes part. Lanes that are active and "
    "not "
    "in the mask break the assertion that mask and active lanes agree, a trap unless NDEBUG is "
    "defined, and what is read from lanes outside is undefined.",
    fix="Let only the lanes of the mask reach the call, or drop the mask and guard the values.",
    holds=Holds(since=RocmRelease(6, 2)),
    evidence=(
        RuleEvidence(
            "HIP headers: what the masks of all active lanes have to be together",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_warp_sync_functions.h",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "HIP C++ language extensions: warp cross-lane functions",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__device__ int f(int v) { return __shfl_down_sync(0xffffull, v, 8, 16); }",
        hip="__device__ int f(int v) { return __shfl_down_sync(~0ull, v, 8, 16); }",
    ),
    driver=Driver.WARP_SITE,
    severity=Severity.MINOR,
    check=_check,
)
