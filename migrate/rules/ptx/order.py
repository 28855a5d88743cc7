"""Loads, stores, atomics and fences with a memory order, in inline PTX."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.blocks import BlockKind, hits_of
from migrate.rules.ptx.sources import CLANG, NO_PTX, PTX_ISA


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, BlockKind.ORDER)


RULE = Rule(
    id="HA-K055",
    slug="ptx-memory-order",
    title="Memory order in inline PTX",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="Loads and stores with acquire, release, relaxed or volatile, and fences with a scope, "
    "synchronise blocks or GPUs. HIP has them as builtins with an order and a scope; a "
    "plain access in their place compiles and loses updates.",
    fix="Write __hip_atomic_load, __hip_atomic_store and their kin with the order and the scope "
    "of the PTX (cta: WORKGROUP, gpu: AGENT, sys: SYSTEM), and allocate memory that other "
    "devices poll fine-grained or uncached.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(
        NO_PTX,
        PTX_ISA,
        CLANG,
    ),
    example=Example(
        cuda="__device__ unsigned f(const unsigned* p) {\n"
        "  unsigned v;\n"
        '  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p));\n'
        "  return v;\n"
        "}",
        hip="__device__ unsigned f(const unsigned* p) {\n"
        "  return __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);\n"
        "}",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
