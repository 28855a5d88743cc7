"""__ffs of a 64-bit lane mask, which fits neither of its forms."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code
from migrate.rules.warps import unsure_in_newer_cuda


def _check(code: Code) -> Iterator[Hit]:
    marks = code.marks(MarkKind.MASK_BITS)
    direct = (mark for mark in marks if mark.symbol == "__ffs" and mark.values[1] == "direct")
    yield from unsure_in_newer_cuda(code, map(code.hit, direct))


RULE = Rule(
    id="HA-K032",
    slug="find-first-of-ballot",
    title="__ffs of a builtin's lane mask",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="HIP has __ffs for int and for unsigned int, and masks of lanes have 64 bits on every GPU: "
    "the call is ambiguous and does not compile, on GPUs with 32 lanes as well.",
    fix="Use __ffsll, with a cast to unsigned long long or long long where the mask is a long.",
    evidence=(
        RuleEvidence(
            "HIP headers: the forms of __ffs and __ffsll",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_device_functions.h",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="__device__ int f(int p) { return __ffs(__ballot(p)); }",
        hip="__device__ int f(int p) { return __ffsll(__ballot(p)); }",
    ),
    driver=Driver.WARP_SITE,
    confidence=Confidence.CERTAIN,
    check=_check,
)
