"""Managed memory of which the driver is told nothing."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.opportunities.sources import HIP_UNIFIED_MEMORY

_HINTS = (
    "cudaMemPrefetchAsync",
    "cudaMemPrefetchAsync_v2",
    "cudaMemPrefetchBatchAsync",
    "cudaMemAdvise",
    "cudaMemAdvise_v2",
    "cuMemPrefetchAsync",
    "cuMemAdvise",
    "cudaStreamAttachMemAsync",
)


def _check(code: Code) -> Iterator[Hit]:
    managed = list(code.uses("cudaMallocManaged", "cuMemAllocManaged"))
    if managed and not any(name in code.base.symbols for name in _HINTS):
        for use in managed:
            yield code.hit(use)


RULE = Rule(
    id="HA-O004",
    slug="managed-memory-without-hints",
    title="Managed memory without prefetch or advice",
    family=Family.OPPORTUNITIES,
    tier=Tier.INTERFACE,
    why="The tree allocates managed memory and never says where it is needed: each page moves when "
    "it is first touched, or is read over the bus where the GPU cannot move pages.",
    fix="Prefetch before the kernels (hipMemPrefetchAsync) and advise on what is only read; in "
    "batches from ROCm 7.2 on (hipMemPrefetchBatchAsync).",
    evidence=(HIP_UNIFIED_MEMORY,),
    example=Example(
        cuda="void f(float** a) { cudaMallocManaged(a, 1 << 20); }",
        hip="void f(float** a) { cudaMallocManaged(a, 1 << 20);\n"
        "cudaMemPrefetchAsync(*a, 1 << 20, 0); }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    per_file=True,
    check=_check,
)
