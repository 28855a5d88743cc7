"""Memory allocated by device code."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code

_WORDS = frozenset({"malloc", "new"})


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.DEVICE_CALL):
        if mark.symbol in _WORDS:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K190",
    slug="device-heap",
    title="Memory allocated in device code",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="malloc and new in device code work on a heap of HIP's own, which grows in steps through "
    "calls of the host and is slow; the limit set for CUDA's heap is only where it starts.",
    fix="Allocate once from the host and hand out parts of it by an atomic counter; where it "
    "stays, measure it and test that running out of memory is noticed.",
    evidence=(
        RuleEvidence(
            "ROCm's device library: the allocator behind malloc asks the host for slabs",
            "ROCm/llvm-project:amd/device-libs/ockl/src/dm.cl",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "hipDeviceSetLimit sets the heap's initial size",
            "ROCm/clr:hipamd/src/hip_device_runtime.cpp",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="__global__ void k(int n) { int* a = (int*)malloc(n * sizeof(int)); a[0] = 0; }",
        hip="__global__ void k(int* pool, int n) { int* a = pool + n * threadIdx.x; a[0] = 0; }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    check=_check,
)
