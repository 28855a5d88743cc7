"""Managed memory on GPUs whose pages do not move by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.memory.sources import UNIFIED_MEMORY

_ALLOCATORS = ("cudaMallocManaged", "cuMemAllocManaged")
_HINTS = frozenset({"cudaMemPrefetchAsync", "cuMemPrefetchAsync", "cudaMemAdvise", "cuMemAdvise"})
_FAULTING = frozenset({"CDNA2", "CDNA3", "CDNA4"})
"""Families that can resolve page faults, with XNACK on; of CDNA5 nothing is published."""
_NOT_KNOWN = frozenset({"CDNA5"})


def _check(code: Code) -> Iterator[Hit]:
    archs = _without_faults(code)
    if not archs:
        return
    detail = _detail(code)
    for call in code.calls(*_ALLOCATORS):
        yield code.hit(call, archs=archs, detail=detail)
    for mark in code.marks(MarkKind.QUALIFIER):
        if mark.symbol == "__managed__":
            yield code.hit(mark, archs=archs, detail=detail)


def _without_faults(code: Code) -> tuple[str, ...]:
    """The target's GPUs on which pages do not move, unless somebody switches that on."""
    return tuple(
        gfx
        for gfx, arch in zip(code.target.archs, code.base.archs, strict=True)
        if arch.family not in _NOT_KNOWN and not (arch.family in _FAULTING and "xnack+" in gfx)
    )


def _detail(code: Code) -> str:
    if any(arch.family in _FAULTING for arch in code.base.archs):
        can = "This GPU can, with HSA_XNACK=1 in the environment."
    else:
        can = "This GPU cannot: HSA_XNACK=1 does not help."
    return (
        f"{can} The prefetches and advice in this file do not change that."
        if (_HINTS.intersection(code.symbols))
        else can
    )


RULE = Rule(
    id="HA-K090",
    slug="managed-memory",
    title="Managed memory where pages do not migrate",
    family=Family.MEMORY,
    tier=Tier.INTERFACE,
    why="Managed memory moves to the GPU that touches it only where the GPU resolves page faults: "
    "from CDNA 2 on, with HSA_XNACK=1 set and a kernel driver with HMM. Everywhere else it stays "
    "pinned on the host, and kernels read it over the bus: right results, very slowly.",
    fix="Allocate with hipMalloc and copy, or document HSA_XNACK=1 (and build for xnack+) as a "
    "requirement and measure.",
    evidence=(UNIFIED_MEMORY,),
    example=Example(
        cuda="void f(float** p, int n) { cudaMallocManaged(p, n * sizeof(float)); }",
        hip="void f(float** p, int n) { hipMalloc(p, n * sizeof(float)); }",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
