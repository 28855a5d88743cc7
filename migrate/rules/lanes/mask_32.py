"""A 32-bit lane mask given to a warp ``_sync`` builtin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.facts import MacroDefinition
from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code
from migrate.rules.lanes.builtins import MASKED, mask_bits, masked_calls
from migrate.rules.warps import unsure_in_newer_cuda

_FULL = frozenset({0xFFFFFFFF, -1})
_NAME = re.compile(r"(?i:(?:full|warp|shfl|shuffle|lane|wave|all).*mask|mask.*(?:full|all))")
_IN_CONSTANT = "What is defined here is a mask of 32 bits."
_IN_MACRO = "The macro's callers give it a mask of 32 bits."


def _check(code: Code) -> Iterator[Hit]:
    yield from unsure_in_newer_cuda(code, _masks(code))


def _masks(code: Code) -> Iterator[Hit]:
    for call, bits in masked_calls(code):
        if bits == 32:  # noqa: PLR2004 - the rule's name
            yield code.hit(call)
    for mark in code.marks(MarkKind.CONSTANT):
        if _is_mask(mark):
            yield code.hit(mark, detail=_IN_CONSTANT, confidence=Confidence.LIKELY)
    for mark in code.marks(MarkKind.MASK_VARIABLE):
        if mark.values[0] in MASKED or mark.values[0] in code.base.warp_functions:
            yield code.hit(mark, confidence=Confidence.LIKELY)
    for macro in code.facts.macros:
        if _is_given_32_bits(code, macro):
            yield from _in_macro(code, macro)


def _is_mask(mark: Mark) -> bool:
    value, kind, bits = mark.values
    return (
        int(value) in _FULL
        and bits != "64"
        and kind in {"macro", "constant"}
        and _NAME.search(mark.symbol) is not None
    )


def _is_given_32_bits(code: Code, macro: MacroDefinition) -> bool:
    """Whether callers of a macro that hands a mask on to a builtin give it one of 32 bits."""
    if not any(name in MASKED for name in macro.symbols):
        return False
    for call in code.base.project_warp_calls.get(macro.name, ()):
        bits, *arguments = call.values
        if bits == "32" or (not bits and arguments and mask_bits(code, arguments[0]) == 32):  # noqa: PLR2004
            return True
    return False


def _in_macro(code: Code, macro: MacroDefinition) -> Iterator[Hit]:
    """The builtin's name in a macro, whose mask comes from the macro's callers."""
    known = {(call.line, call.column) for call, bits in masked_calls(code) if bits}
    for use in code.uses(*(name for name in macro.symbols if name in MASKED)):
        near = macro.line <= use.line <= macro.line + 3
        if near and not use.function and (use.line, use.column) not in known:
            yield code.hit(use, detail=_IN_MACRO)


RULE = Rule(
    id="HA-K030",
    slug="lane-mask-32",
    title="32-bit lane mask in a warp builtin",
    family=Family.LANES,
    tier=Tier.KERNEL,
    why="HIP takes lane masks as 64 bits on every GPU, and a static assertion in its headers "
    "refuses a narrower type; where a wavefront has 64 lanes, 32 bits also leave half of it out, "
    "which an assertion on the device then stops unless NDEBUG is defined.",
    fix="Give a 64-bit mask (~0ull for all lanes; a cast of 0xffffffff is not that), or use the "
    "form without mask where every lane takes part.",
    holds=Holds(since=RocmRelease(6, 2)),
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: warp cross-lane functions",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "HIP headers: the static assertion on the mask's size",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_warp_sync_functions.h",
            RocmRelease(6, 2),
        ),
        RuleEvidence(
            "HIP headers of 7.2.4: the same assertion, and the one on the lanes that take part",
            "ROCm/rocm-systems:projects/clr/hipamd/include/hip/amd_detail/amd_warp_sync_functions.h",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__device__ float f(float v) { return v + __shfl_xor_sync(0xffffffff, v, 16); }",
        hip="__device__ float f(float v) { return v + __shfl_xor_sync(~0ull, v, 16, 32); }",
    ),
    driver=Driver.WARP_SITE,
    confidence=Confidence.CERTAIN,
    check=_check,
)
