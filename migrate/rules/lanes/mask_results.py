"""A wavefront's lane mask kept, counted or built in 32 bits."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code
from migrate.rules.warps import unsure_in_newer_cuda

_KEPT = "The upper 32 lanes are cut off here."
_COUNTED = "{} sees the lanes 0 to 31 only: {} is its form for 64 bits."
_BUILT = "In 32 bits a shift by a lane number above 31 is undefined: shift 1ull."
_WIDE_FORM = {
    "__popc": "__popcll",
    "__ffs": "__ffsll",
    "__clz": "__clzll",
    "__brev": "__brevll",
    "__fns": "__fns64",
}


def _check(code: Code) -> Iterator[Hit]:
    yield from unsure_in_newer_cuda(code, _masks(code))


def _masks(code: Code) -> Iterator[Hit]:
    compiled = {
        (one.line, one.column): one.result_bits for one in code.warp_calls if one.result_bits
    }
    for mark in code.marks(MarkKind.MASK_RESULT):
        if compiled.get((mark.line, mark.column), 32) == 32:  # noqa: PLR2004 - an int's bits
            yield code.hit(mark, detail=_KEPT)
    known = {(mark.line, mark.column) for mark in code.marks(MarkKind.MASK_RESULT)}
    known |= {
        (mark.line, mark.column)
        for mark in code.marks(MarkKind.WARP_CALL)
        if mark.symbol in code.base.ported_wrappers
    }
    for one in code.warp_calls:
        if one.result_bits == 32 and (one.line, one.column) not in known:  # noqa: PLR2004
            yield code.hit_place(one.line, one.column, one.symbol, one.function, detail=_KEPT)
    for mark in code.marks(MarkKind.MASK_BITS):
        if mark.symbol == "__ffs" and mark.values[1] == "direct":
            continue  # does not compile at all: HA-K032
        detail = _COUNTED.format(mark.symbol, _WIDE_FORM[mark.symbol])
        yield code.hit(mark, detail=detail)
    yield from _built(code)


def _built(code: Code) -> Iterator[Hit]:
    """Bits of lanes in code that has to do with lane masks."""
    masks = {
        mark.first_line
        for mark in code.marks(MarkKind.MASK_RESULT, MarkKind.MASK_BITS, MarkKind.LANE_MASK)
    }
    for mark in code.marks(MarkKind.LANE_BIT):
        if mark.values[1] == "threadIdx.x" and mark.first_line not in masks:
            continue
        sure = mark.first_line in masks
        yield code.hit(mark, detail=_BUILT, confidence=None if sure else Confidence.POSSIBLE)


RULE = Rule(
    id="HA-K031",
    slug="lane-mask-in-32-bits",
    title="Lane mask kept, counted or built in 32 bits",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="Ballots, matches and active masks have a bit for each of the 64 lanes of this GPU's "
    "wavefront: in an int, in __popc and __ffs, or beside 1 << lane the lanes 32 to 63 are lost, "
    "without a word from the compiler.",
    fix="Keep masks in unsigned long long, build bits with 1ull << lane, and use __popcll, "
    "__ffsll, __clzll, __brevll and __fns64 on them.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warp vote and ballot functions return 64 bits",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "HIP porting guide: lane masks bit-shift",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_porting_guide.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "HIP headers: __popc, __ffs, __clz, __brev and __fns take 32 bits",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_device_functions.h",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="__device__ int f(int p) { unsigned m = __ballot(p); return __popc(m); }",
        hip="__device__ int f(int p) { unsigned long long m = __ballot(p); return __popcll(m); }",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
