"""Copies that block the host between the launches of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.opportunities.loops import Loops
from migrate.rules.opportunities.sources import HIP_ASYNCHRONOUS

_COPIES = ("cudaMemcpy", "cudaMemcpy2D", "cudaMemcpyToSymbol")
_KIND = {"cudaMemcpy": 3, "cudaMemcpy2D": 6}
_ON_THE_GPU = "DeviceToDevice"


def _check(code: Code) -> Iterator[Hit]:
    loops = Loops(code)
    for call in code.calls(*_COPIES):
        loop = loops.innermost(call.line)
        if loop is None or not loops.launches(loop) or loops.measures(loop):
            continue
        if loops.has(loop, "cudaSetDevice"):
            continue
        if _ON_THE_GPU not in "".join(call.arguments[_KIND.get(call.symbol, 9) :]):
            yield code.hit(call)


RULE = Rule(
    id="HA-O003",
    slug="blocking-copy-in-loop",
    title="Blocking copy between the launches of a loop",
    family=Family.OPPORTUNITIES,
    tier=Tier.INTERFACE,
    why="The copy waits for the kernels before it and keeps the next ones from being enqueued, so "
    "that the GPU is idle once an iteration.",
    fix="Copy with hipMemcpyAsync to pinned memory and look at the result an iteration later, or "
    "test for convergence every few iterations; keep what stays on the GPU there.",
    evidence=(HIP_ASYNCHRONOUS,),
    example=Example(
        cuda="__global__ void step(int* a) { a[0] = 0; }\n"
        "void f(int* a, int* go) { while (*go) { step<<<1, 64>>>(a);\n"
        "cudaMemcpy(go, a, 4, cudaMemcpyDeviceToHost); } }",
        hip="__global__ void step(int* a) { a[0] = 0; }\n"
        "void f(int* a, int* go, cudaStream_t s) { while (*go) { step<<<1, 64, 0, s>>>(a);\n"
        "cudaMemcpyAsync(go, a, 4, cudaMemcpyDeviceToHost, s); } }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
