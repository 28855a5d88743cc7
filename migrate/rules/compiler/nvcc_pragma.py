"""Pragmas that only nvcc knows."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import CLANG_HIP


def _check(code: Code) -> Iterator[Hit]:
    guarded = _for_nvcc_alone(code)
    for mark in code.marks(MarkKind.PRAGMA):
        if not any(first < mark.line < last for first, last in guarded):
            yield code.hit(mark)


def _for_nvcc_alone(code: Code) -> list[tuple[int, int]]:
    """The lines between which a branch asks for nvcc: clang never reads them."""
    spans = []
    for mark in code.marks(MarkKind.CONDITIONAL):
        branches = [branch.partition("-") for branch in mark.values[1:]]
        starts = [int(first) for first, _, _ in branches]
        for (_, _, told), first, last in zip(
            branches, starts, [*starts[1:], mark.end_line], strict=True
        ):
            condition = told.partition(" ")[2]
            if "__NVCC" in condition and not condition.startswith("!"):
                spans.append((first, last))
    return spans


RULE = Rule(
    id="HA-K168",
    slug="nvcc-pragma",
    title="Pragma of nvcc",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="clang passes over the pragma and warns of it (-Wunknown-pragmas), which ends a build with "
    "-Werror. The warning that it silenced has another name in clang, if there is one.",
    fix="Put it under #ifdef __NVCC__; silence clang with #pragma clang diagnostic where needed.",
    evidence=(
        CLANG_HIP,
        RuleEvidence(
            "PyTorch3D keeps these pragmas out of its HIP build",
            "facebookresearch/pytorch3d:pytorch3d/csrc/pulsar/global.h",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#pragma nv_diag_suppress 177\n__global__ void f() { int unused; }",
        hip='#pragma clang diagnostic ignored "-Wunused-variable"\n'
        "__global__ void f() { int unused; }",
    ),
    driver=Driver.NONE,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    per_file=True,
    check=_check,
)
