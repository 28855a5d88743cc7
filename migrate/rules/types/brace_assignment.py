"""A half variable that gets a list in braces."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.types.sources import HALF


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.BRACE_ASSIGNMENT):
        typed, inside = mark.values
        if inside or not typed.endswith("bfloat162"):
            kind = typed.removeprefix("__")
            yield code.hit(mark, fix=f"Name the type: {mark.symbol} = {kind}{{{inside}}};")


RULE = Rule(
    id="HA-K141",
    slug="half-brace-assignment",
    title="List in braces assigned to a half type",
    family=Family.TYPES,
    tier=Tier.KERNEL,
    why="__half, __half2 and the bfloat16 types of HIP have several assignment operators (of their "
    "own type, of the raw one, of numbers), and a list in braces fits more than one: the "
    "assignment is ambiguous. The same list in a declaration compiles.",
    fix="Name the type before the braces: v = half2{a, b}; or call __halves2half2.",
    evidence=(
        HALF,
        RuleEvidence(
            "vLLM assigns half2() in its ROCm build",
            "ROCm/vllm:csrc/quantization/gptq/q_gemm.cu",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__device__ half2 f(half a, half b) { half2 r; r = {a, b}; return r; }",
        hip="__device__ half2 f(half a, half b) { half2 r; r = half2{a, b}; return r; }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
)
