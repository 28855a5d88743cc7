"""Host memory that kernels read and write in place."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.memory.sources import COHERENCE

_CALLS = ("cudaHostGetDevicePointer", "cuMemHostGetDevicePointer")


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls(*_CALLS):
        yield code.hit(call)


RULE = Rule(
    id="HA-K097",
    slug="mapped-host-memory",
    title="Host memory that kernels access in place",
    family=Family.MEMORY,
    tier=Tier.INTERFACE,
    why="Pinned memory of HIP is coherent by default, and the GPU does not cache it: every access "
    "goes over the bus, also the second one to the same line, and the floating-point atomics of "
    "-munsafe-fp-atomics are lost on it. Results are those of CUDA otherwise.",
    fix="Keep it for what is read once, and for flags; for more, copy, or allocate with "
    "hipHostMallocNonCoherent where the host reads only after a synchronisation.",
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    evidence=(
        COHERENCE,
        RuleEvidence(
            "HIP programming guide: zero-copy access and coherency options",
            "ROCm/HIP:docs/how-to/programming_manual.md",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="void f(float** d, float* h) { cudaHostGetDevicePointer((void**)d, h, 0); }",
        hip="void f(float** d, float* h, size_t n) { hipMemcpy(*d, h, n, hipMemcpyDefault); }",
    ),
    driver=Driver.NONE,
    check=_check,
)
