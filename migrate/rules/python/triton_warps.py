"""Triton launches with more wavefronts than a workgroup holds."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, Trait
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TRITON

_MOST_WARPS = 16


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.WARPS):
        if int(signal.value) > _MOST_WARPS:
            yield code.hit(signal, symbol="num_warps")


RULE = Rule(
    id="HA-E059",
    slug="triton-too-many-warps",
    title="Triton kernel with more than 1024 threads a block",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="num_warps counts wavefronts of 64 lanes on this GPU, and a workgroup has 1024 threads at "
    "most: 32 warps are 2048 threads, which Triton refuses as out of resources.",
    fix="Halve num_warps for GPUs of 64 lanes; other values deserve tuning too.",
    evidence=(TRITON,),
    example=Example(
        cuda="def run(kernel, grid, x):\n    kernel[grid](x, num_warps=32)\n",
        hip="def run(kernel, grid, x):\n    kernel[grid](x, num_warps=16)\n",
        name="launch.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    holds=Holds(traits=(Trait.WAVE64,)),
    per_file=True,
)
