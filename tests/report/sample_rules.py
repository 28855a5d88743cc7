"""Handmade rules for the handmade assessments, with text that a page must not take for markup."""

from __future__ import annotations

from collections.abc import Iterable

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict

_GUIDE = "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html"


def _nothing(_code: object) -> Iterable[Hit]:
    return ()


def _rule(  # noqa: PLR0917 - the rules below are its arguments, in order
    key: str, slug: str, title: str, family: Family, why: str, fix: str, example: Example
) -> Rule:
    offer = family is Family.OPPORTUNITIES
    return Rule(
        id=key,
        slug=slug,
        title=title,
        family=family,
        tier=Tier.INTERFACE if offer else Tier.KERNEL,
        why=why,
        fix=fix,
        holds=Holds(since=RocmRelease(7, 0)),
        evidence=(
            RuleEvidence("HIP C++ language extensions", _GUIDE, RocmRelease(7, 2)),
            RuleEvidence("HIP headers", "ROCm/clr:hipamd/include/hip/amd_warp.h"),
        ),
        example=example,
        driver=Driver.NONE if offer else Driver.WARP_SITE,
        severity=Severity.INFO if offer else Severity.MAJOR,
        verdict=Verdict.SAME if offer else Verdict.CHANGED,
        check=_nothing,
    )


MASK = _rule(
    "HA-K012",
    "warp-mask-32",
    "32-bit lane mask in a warp sync builtin",
    Family.LANES,
    "HIP takes the lane mask as 64 bits on every GPU, and its headers refuse a narrower one.",
    "Pass a 64-bit mask, ~0ULL for all lanes.",
    Example(
        "v += __shfl_xor_sync(0xffffffff, v, 16);",
        "v += __shfl_xor_sync(~0ULL, v, 16);  // </code><script>alert(4)</script>",
    ),
)
ASM = _rule(
    "HA-K003",
    "ptx-load",
    "Inline PTX for a load <b>past</b> the cache",
    Family.PTX,
    "No AMD GPU runs PTX.",
    "Write it with __builtin_nontemporal_load.",
    Example('asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));', ""),
)
CONSTANT = _rule(
    "HA-K020",
    "warp-size-constant",
    "warpSize where the compiler wants a constant",
    Family.WAVEFRONT,
    "From ROCm 7.0 warpSize is no constant of the compiler.",
    "Ask at run time.",
    Example("int a[warpSize];", "int a[64];"),
)
BATCH = _rule(
    "HA-O001",
    "copies-in-a-loop",
    "Many small copies in a loop",
    Family.OPPORTUNITIES,
    "ROCm 7.1 has a batched copy.",
    "Gather them.",
    Example("for (;;) cudaMemcpyAsync(a, b, 4, k, s);", ""),
)
RULES = (ASM, MASK, CONSTANT)
