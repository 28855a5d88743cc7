"""A project's own templates ``min`` and ``max`` for device code, which clang's headers have."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import CLANG_MATH


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.OWN_MIN_MAX):
        yield code.hit(mark)


RULE = Rule(
    id="HA-K167",
    slug="own-min-max",
    title="Template min or max of the project's own for device code",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="clang's headers for HIP define template <class T> T min(T, T) and max as device functions "
    "in the global namespace: the same template again is a redefinition. CUDA's have overloads for "
    "the arithmetic types only.",
    fix="Leave the template out of HIP builds, or put it into a namespace.",
    evidence=(
        CLANG_MATH,
        RuleEvidence(
            "MMCV builds its min and max for CUDA only",
            "open-mmlab/mmcv:mmcv/ops/csrc/common/cuda/carafe_cuda_kernel.cuh",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="template <typename T> __device__ T max(T a, T b) { return a < b ? b : a; }",
        hip="namespace own {\n"
        "template <typename T> __device__ T max(T a, T b) { return a < b ? b : a; }\n}",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    per_file=True,
    check=_check,
)
