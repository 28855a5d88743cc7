"""Blocks of exactly one warp of 32 threads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Side, Tier, Verdict
from migrate.rules.code import Code

_WARP = 32
_DIM3 = re.compile(r"dim3\s*[({]\s*([\w]+)\s*(?:,\s*1[uU]?\s*){0,2}[)}]")


def _check(code: Code) -> Iterator[Hit]:
    variables = set()
    for mark in code.marks(MarkKind.BLOCK_SIZE):
        size, form = mark.values
        if _WARP not in code.values_of(size):
            continue
        if form == "template":
            yield code.hit(mark)
        else:
            variables.add((mark.first_line, mark.symbol))
    for launch in code.facts.launches:
        if launch.side is Side.DEVICE:
            continue
        written = _DIM3.fullmatch(launch.block)
        size = written[1] if written else launch.block
        named = any(name == launch.block and first <= launch.line for first, name in variables)
        if named or _WARP in code.values_of(size):
            yield code.hit(launch)


RULE = Rule(
    id="HA-K007",
    slug="block-of-one-warp",
    title="Blocks of 32 threads",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="A block of 32 threads is half a wavefront on this GPU: it runs, but half of the machine's "
    "lanes stay idle, and what is elected or exchanged per wavefront has 32 lanes to do with.",
    fix="Launch 64 threads a block, or let a wavefront do two of the units of work.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "HIP: hardware features, wavefront size",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/reference/hardware_features.html",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "Mamba starts at 64 threads on ROCm",
            "state-spaces/mamba:csrc/selective_scan/selective_scan_fwd_kernel.cuh",
        ),
    ),
    example=Example(
        cuda="__global__ void k(int* a) { a[threadIdx.x] = 0; }\nvoid f(int* a) { k<<<1, "
        "32>>>(a); }",
        hip="__global__ void k(int* a) { a[threadIdx.x] = 0; }\nvoid f(int* a) { k<<<1, 64>>>(a); "
        "}",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
