"""Barriers, latches and semaphores that are objects in memory."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.memory.sources import LIBHIPCXX
from migrate.rules.names import uses_like

_NAMES = frozenset(
    {
        *("cuda::latch", "cuda::counting_semaphore", "cuda::binary_semaphore", "cuda::barrier"),
        *("cuda::std::latch", "cuda::std::barrier", "cuda::std::counting_semaphore"),
        *("cuda::std::binary_semaphore", "cuda::device::barrier_arrive_tx"),
        *("cuda::device::barrier_expect_tx", "cuda::device::barrier_native_handle"),
    }
)
_FAMILIES = (
    *("__mbarrier_", "cuda::barrier::", "cuda::latch::", "cuda::counting_semaphore::"),
    *("cuda::ptx::mbarrier_", "nvcuda::experimental::awbarrier", "__nvvm_mbarrier"),
)
_MEMBERS = frozenset({"arrive_and_wait", "arrive_and_drop"})


def _check(code: Code) -> Iterator[Hit]:
    found = False
    for use in uses_like(code, _NAMES, *_FAMILIES):
        found = True
        yield code.hit(use)
    for mark in code.marks(MarkKind.MEMBER) if found else ():
        if mark.symbol in _MEMBERS:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K092",
    slug="barrier-object",
    title="Barrier, latch or semaphore object in a kernel",
    family=Family.MEMORY,
    tier=Tier.KERNEL,
    why="Barriers that live in shared memory and split arriving from waiting are hardware of "
    "Ampere and Hopper; libhipcxx lists barrier, latch and semaphore as unsupported, and HIP has "
    "no mbarrier functions. Warps that produce and consume meet at them.",
    fix="Use __syncthreads() where all threads of the block take part; else a counter in LDS with "
    "scoped atomics (__hip_atomic_fetch_add and a loop that loads with acquire order), or give "
    "all wavefronts the same role.",
    verdict=Verdict.MISSING,
    evidence=(LIBHIPCXX,),
    example=Example(
        cuda="#include <cuda/barrier>\n"
        "__global__ void f() {\n"
        "  __shared__ cuda::barrier<cuda::thread_scope_block> bar;\n"
        "  bar.arrive_and_wait();\n"
        "}",
        hip="__global__ void f() { __syncthreads(); }",
    ),
    driver=Driver.COOPERATIVE_GROUPS_SITE,
    check=_check,
)
