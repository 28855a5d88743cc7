"""Memory cleared by the host in every iteration."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.opportunities.loops import Loops
from migrate.rules.opportunities.sources import HIP_ASYNCHRONOUS, HIP_PERFORMANCE

_CLEARS = ("cudaMemset", "cudaMemset2D", "cudaMemset3D")


def _check(code: Code) -> Iterator[Hit]:
    loops = Loops(code)
    for call in code.calls(*_CLEARS):
        loop = loops.innermost(call.line)
        if loop is not None and loops.launches(loop) and not loops.measures(loop):
            yield code.hit(call)


RULE = Rule(
    id="HA-O005",
    slug="memset-in-loop",
    title="Memory cleared between the launches of a loop",
    family=Family.OPPORTUNITIES,
    tier=Tier.INTERFACE,
    why="Each call is a kernel of its own, enqueued on the default stream, so that it also keeps "
    "other streams waiting.",
    fix="Let the kernel that uses the memory clear it, or call hipMemsetAsync on the loop's "
    "stream; capture the loop in a graph where its launches repeat.",
    evidence=(HIP_PERFORMANCE, HIP_ASYNCHRONOUS),
    example=Example(
        cuda="__global__ void step(int* a) { a[0] += 1; }\n"
        "void f(int* a) { for (int i = 0; i < 9; i++) "
        "{ cudaMemset(a, 0, 4); step<<<1, 64>>>(a); } }",
        hip="__global__ void step(int* a) { a[0] = 1; }\n"
        "void f(int* a) { for (int i = 0; i < 9; i++) { step<<<1, 64>>>(a); } }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
