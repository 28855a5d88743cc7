"""A host that waits for the GPU in every iteration."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.opportunities.loops import Loops
from migrate.rules.opportunities.sources import HIP_ASYNCHRONOUS

_WAITS = ("cudaDeviceSynchronize", "cudaThreadSynchronize", "cuCtxSynchronize")
_ANSWERS = ("cudaMemcpy", "cudaMemcpyFromSymbol", "cudaMemcpyAsync", "cudaMemcpyFromSymbolAsync")
"""What a loop waits for: its result read back."""
_NEEDS = (
    "cudaMallocManaged",
    "cudaFree",
    "cudaDestroyTextureObject",
    "cudaDestroySurfaceObject",
    "cudaGraphicsUnmapResources",
)
"""What has to wait for kernels that use the thing."""


def _check(code: Code) -> Iterator[Hit]:
    loops = Loops(code)
    for use in code.uses(*_WAITS):
        loop = loops.innermost(use.line)
        if loop is None or not loops.launches(loop) or loops.measures(loop):
            continue
        if not loops.has(loop, *_ANSWERS, "cudaSetDevice", *_NEEDS):
            yield code.hit(use)


RULE = Rule(
    id="HA-O002",
    slug="wait-in-loop",
    title="Host waits for the GPU in every iteration",
    family=Family.OPPORTUNITIES,
    tier=Tier.INTERFACE,
    why="The loop launches kernels, waits for all of them, and reads nothing back: kernels of one "
    "stream run in order without it, and launching from an idle queue takes longer.",
    fix="Wait once behind the loop, or with an event where another stream or the host needs the "
    "result; a loop of the same launches can become a graph.",
    evidence=(HIP_ASYNCHRONOUS,),
    example=Example(
        cuda="__global__ void step(float* a) { a[0] += 1; }\n"
        "void f(float* a) { for (int i = 0; i < 100; i++) "
        "{ step<<<1, 64>>>(a); cudaDeviceSynchronize(); } }",
        hip="__global__ void step(float* a) { a[0] += 1; }\n"
        "void f(float* a) { for (int i = 0; i < 100; i++) { step<<<1, 64>>>(a); }\n"
        "cudaDeviceSynchronize(); }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
