"""Copies to shared memory in the background: pipelines and memcpy_async."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.memory.sources import COOPERATIVE_GROUPS, LIBHIPCXX
from migrate.rules.names import uses_like

_NAMES = frozenset(
    {
        *("cuda::memcpy_async", "cuda::device::memcpy_async_tx", "cuda::aligned_size_t"),
        *("cuda::make_pipeline", "cuda::pipeline", "cooperative_groups::memcpy_async"),
        *("cooperative_groups::wait", "cooperative_groups::wait_prior"),
        "nvcuda::experimental::memcpy_async",
    }
)
_FAMILIES = ("__pipeline_", "cuda::pipeline", "nvcuda::experimental::pipeline")
_MEMBERS = frozenset({"producer_acquire", "producer_commit", "consumer_wait", "consumer_release"})


def _check(code: Code) -> Iterator[Hit]:
    found = False
    for use in uses_like(code, _NAMES, *_FAMILIES):
        found = True
        yield code.hit(use)
    # CUTLASS has pipelines of its own with the same members.
    for mark in code.marks(MarkKind.MEMBER) if found else ():
        if mark.symbol in _MEMBERS:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K091",
    slug="async-copy",
    title="Asynchronous copy to shared memory",
    family=Family.MEMORY,
    tier=Tier.KERNEL,
    why="HIP has no asynchronous copy to shared memory: neither the __pipeline functions, nor "
    "cuda::pipeline and memcpy_async in libhipcxx, nor memcpy_async of cooperative groups. AMD "
    "GPUs hide the latency by other wavefronts and by loads that the compiler issues early.",
    fix="Load the next tile into registers, store it to shared memory and synchronise the block; "
    "keep the double buffer where there is LDS for it. gfx950 can load 16 bytes a lane "
    "straight to LDS (__builtin_amdgcn_global_load_lds).",
    verdict=Verdict.MISSING,
    evidence=(LIBHIPCXX, COOPERATIVE_GROUPS),
    example=Example(
        cuda="__device__ void f(float* s, const float* g) {\n"
        "  __pipeline_memcpy_async(s, g, 16);\n"
        "  __pipeline_commit();\n"
        "  __pipeline_wait_prior(0);\n"
        "}",
        hip="__device__ void f(float4* s, const float4* g) {\n  *s = *g;\n  __syncthreads();\n}",
    ),
    driver=Driver.COOPERATIVE_GROUPS_SITE,
    check=_check,
)
