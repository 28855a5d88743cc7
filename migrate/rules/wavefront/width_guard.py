"""A program that gives up where a warp has not 32 threads."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WARP_SIZE_TEST):
        yield code.hit(mark, symbol=mark.values[0])


RULE = Rule(
    id="HA-K005",
    slug="guard-against-64-lanes",
    title="Guard that refuses wavefronts of 64 lanes",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="The program stops where a warp has not 32 threads, and this GPU's wavefronts have 64 "
    "lanes, "
    "which no compiler flag changes. Whoever wrote the guard knew of code that needs 32.",
    fix="Find what needs 32 lanes and make it fit for both widths, then take the guard out.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HeCBench: warp size must be 32",
            "https://github.com/zjin-lcf/HeCBench/issues/180",
        ),
        RuleEvidence(
            "ROCm: wavefront size of each GPU",
            "https://rocm.docs.amd.com/en/latest/reference/gpu-arch-specs.html",
        ),
    ),
    example=Example(
        cuda="int f(cudaDeviceProp p) {\n  if (p.warpSize != 32) { return 1; }\n  return 0;\n}",
        hip="int f(cudaDeviceProp p) { return p.warpSize == 32 ? 5 : 6; }",
    ),
    driver=Driver.WARP_SITE,
    confidence=Confidence.CERTAIN,
    check=_check,
)
