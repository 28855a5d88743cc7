"""Kernels built on a project's own functions around matrix instructions."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, State, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.matrix.sources import INSTRUCTIONS, LAYOUTS
from migrate.rules.ptx.blocks import BlockKind, read_block


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.MATRIX_CALL):
        own = mark.function.rpartition("::")[2].partition("<")[0]
        if own and not _multiplies(code, own) and _multiplies(code, mark.symbol):
            yield code.hit(mark)


def _multiplies(code: Code, function: str) -> bool:
    """Whether a function of the tree is matrix instructions, and is not ported yet."""
    return any(
        block.state is State.ACTIVE and read_block(block).kind is BlockKind.MATRIX
        for block in code.base.asm_by_function.get(function, ())
    )


RULE = Rule(
    id="HA-K078",
    slug="matrix-wrapper-call",
    title="Kernel built on the project's own matrix functions",
    family=Family.MATRIX,
    tier=Tier.KERNEL,
    why="The functions that it calls are matrix instructions in PTX. Their tile and which lane "
    "holds which element are all through the code around the calls: loop bounds, index "
    "arithmetic, shared memory layout and epilogue change with them, for each family of "
    "GPUs.",
    fix="Give the functions another version for the target with its own tile type, and work "
    "through each caller for the tile sizes and lane layouts that it takes for granted.",
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    evidence=(INSTRUCTIONS, LAYOUTS),
    example=Example(
        cuda="__device__ void mma(unsigned d, unsigned long long a) {\n"
        '  asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "l"(a));\n'
        "}\n"
        "__global__ void k(unsigned long long a) { mma(0, a); }",
        hip="__device__ void mma(unsigned d, unsigned long long a) {}\n"
        "__global__ void k(unsigned long long a) { mma(0, a); }",
    ),
    driver=Driver.MATRIX_KERNEL,
    check=_check,
)
