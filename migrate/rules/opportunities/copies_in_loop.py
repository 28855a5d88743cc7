"""Many copies enqueued one by one."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.opportunities.loops import Loops, depends_on
from migrate.rules.opportunities.sources import HIP_CHANGELOG_7_1

_COPIES = ("cudaMemcpyAsync", "cuMemcpyAsync", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync")
_NOT_ONE_BATCH = (
    "cudaSetDevice",
    "cudaStreamSynchronize",
    "cudaDeviceSynchronize",
    "cudaEventSynchronize",
    "cudaStreamWaitEvent",
)


def _check(code: Code) -> Iterator[Hit]:
    loops = Loops(code)
    for call in code.calls(*_COPIES):
        loop = loops.innermost(call.line)
        if loop is None or not depends_on(call, loop.values[0], (0, 1)):
            continue
        if depends_on(call, loop.values[0], (4,)) or loops.has(loop, *_NOT_ONE_BATCH):
            continue
        if not loops.launches(loop) and not loops.measures(loop):
            yield code.hit(call)


RULE = Rule(
    id="HA-O001",
    slug="copies-in-loop",
    title="Copies enqueued one by one in a loop",
    family=Family.OPPORTUNITIES,
    tier=Tier.INTERFACE,
    why="Each small copy costs a command of its own. From ROCm 7.1 one call takes a whole list of "
    "them (hipMemcpyBatchAsync, in CUDA cudaMemcpyBatchAsync from 12.8), and 7.12 and 10.0 made "
    "it faster.",
    fix="Gather addresses and sizes in the loop and call hipMemcpyBatchAsync once behind it.",
    holds=Holds(since=RocmRelease(7, 1)),
    evidence=(HIP_CHANGELOG_7_1,),
    example=Example(
        cuda="void f(float** d, float** h, size_t n, cudaStream_t s) {\n"
        "for (int i = 0; i < 64; i++) "
        "cudaMemcpyAsync(d[i], h[i], n, cudaMemcpyHostToDevice, s); }",
        hip="void f(float* d, float* h, size_t n, cudaStream_t s) "
        "{ cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, s); }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
