"""Atomics that only the threads of a block shall see."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.atomics.sources import HEADER
from migrate.rules.code import Code

_BLOCK = "_block"


def _check(code: Code) -> Iterator[Hit]:
    for symbol in code.symbols:
        if symbol.startswith("atomic") and symbol.endswith(_BLOCK):
            for use in code.uses(symbol):
                yield code.hit(use)


RULE = Rule(
    id="HA-K113",
    slug="block-scope-atomic",
    title="Atomic of block scope",
    family=Family.ATOMICS,
    tier=Tier.KERNEL,
    why="HIP has no atomics with the ending _block.",
    fix="Write __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP) and "
    "its kind, or the plain atomic, whose scope is the GPU.",
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    evidence=(
        HEADER,
        RuleEvidence(
            "Clang: builtin functions for scoped atomics",
            "llvm/llvm-project:clang/docs/LanguageExtensions.rst",
        ),
    ),
    example=Example(
        cuda="__global__ void k(int* p) { atomicAdd_block(p, 1); }",
        hip="__global__ void k(int* p) { atomicAdd(p, 1); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
