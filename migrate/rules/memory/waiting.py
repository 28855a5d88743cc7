"""Kernels that wait for what another block, GPU or the host writes meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.memory.sources import COHERENCE, FENCES


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.WAITING_LOOP):
        if mark.values[0] == "flag":
            yield code.hit(mark)
    for use in code.uses("__threadfence_system"):
        yield code.hit(use, severity=Severity.MINOR)


RULE = Rule(
    id="HA-K098",
    slug="waiting-kernel",
    title="Kernel that waits for a write of another block, GPU or the host",
    family=Family.MEMORY,
    tier=Tier.KERNEL,
    why="A flag that is read through volatile, a plain pointer or an atomic on the side orders "
    "nothing else, and the caches of AMD GPUs are not coherent for memory of hipMalloc while a "
    "kernel runs: the loop may never see the flag, or the data behind it may be old. A system "
    "fence reaches other GPUs and the host only where the memory is fine-grained.",
    fix="Write the flag with __hip_atomic_store and release order, read it with __hip_atomic_load "
    "and acquire order, at agent scope between blocks and system scope between GPUs and the host; "
    "allocate flags and data for the latter fine-grained or uncached.",
    evidence=(COHERENCE, FENCES),
    example=Example(
        cuda="__global__ void k(volatile int* flag) { while (*flag == 0); }",
        hip="__device__ int seen(int* p);\n"
        "__global__ void k(int* flag) {\n"
        "  int value = 0;\n"
        "  for (int n = 0; n < 1000 && value == 0; ++n) {\n"
        "    value = __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);\n"
        "  }\n"
        "}",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
