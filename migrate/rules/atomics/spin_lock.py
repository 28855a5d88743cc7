"""A lock that every thread of a block tries to take."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WAITING_LOOP):
        kind, elected = mark.values
        if kind == "lock" and not elected:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K116",
    slug="spin-lock",
    title="Spin lock taken by threads of one warp",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="The lanes of a wavefront run in lock step: where one holds the lock, the others keep the "
    "wavefront in the loop, and it may never get on to release it. NVIDIA GPUs since Volta "
    "schedule threads on their own, so that this works there.",
    fix="Let one thread of the block take the lock, or do the work inside of the loop, in the "
    "branch of the lane that got it, and release it there.",
    evidence=(
        RuleEvidence(
            "HIP C++ language extensions: lanes in lock step, no independent thread scheduling",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_cpp_language_extensions.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="__device__ void lock(int* mutex) { while (atomicCAS(mutex, 0, 1) != 0); }",
        hip="__device__ void lock(int* mutex) {\n"
        "  if (threadIdx.x == 0) { while (atomicCAS(mutex, 0, 1) != 0); }\n"
        "  __syncthreads();\n"
        "}",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
