"""A project's operators on float4 and its kind, which HIP's vector types have themselves."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import Include
from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, State, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import VECTOR_TYPES

_NO_TEMPLATES = frozenset({"*", "/"})
"""What HIP defines for two vectors as a plain function; the others are templates, which a plain
function of the same types goes before."""
_COMPLEX = (
    "HIP multiplies and divides complex numbers component by component, since they are float2 and "
    "double2: without an operator of your own the code compiles and computes something else."
)


_HELPERS = frozenset({"helper_math.h", "cutil_math.h"})
"""Headers of NVIDIA's samples that projects copy or take from there."""
_HELPER = "This header of NVIDIA's samples is made of such operators, for host and device."
_PREFERRED = (
    "In a kernel clang takes an operator that is __device__ alone before HIP's, so that this one "
    "still compiles and counts; ports leave such operators out all the same."
)


def _check(code: Code) -> Iterator[Hit]:
    marks = list(code.marks(MarkKind.OWN_OPERATOR))
    together = any(_confidence(mark) is Confidence.CERTAIN for mark in marks)
    for mark in marks:
        sign, left, _, side = mark.values
        detail = _COMPLEX if "omplex" in left and sign[0] in "*/" else ""
        if not detail and side == "device":
            detail = _PREFERRED
        confidence = _confidence(mark)
        if confidence is Confidence.POSSIBLE and together:
            # Alone it compiles and is preferred; beside ambiguous ones it is part of one edit.
            confidence = Confidence.LIKELY
        yield code.hit(mark, detail=detail, confidence=confidence)
    for include in code.facts.includes:
        if include.name.rpartition("/")[2] in _HELPERS and _is_a_copy(code, include):
            yield code.hit_include(include, detail=_HELPER, confidence=Confidence.LIKELY)


def _is_a_copy(code: Code, include: Include) -> bool:
    """Whether the tree holds the header as a third party's; in its own the operators are found.

    One that is not in the tree is a header that HIP has none for (HA-K165).
    """
    name = include.name.rpartition("/")[2]
    return any(
        file.path.rpartition("/")[2] == name
        and any(mark.state is State.VENDORED for mark in file.marks)
        for file in code.base.files
    )


def _confidence(mark: Mark) -> Confidence:
    side = mark.values[3]
    if side == "host" or not _is_equal_to_hips(mark):
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if side == "both" else Confidence.LIKELY


def _is_equal_to_hips(mark: Mark) -> bool:
    """Whether HIP has a plain function for the same operands."""
    sign, left, right, _ = mark.values
    if sign.endswith("=") and sign[0] in "+-*/":
        return left == f"{right}&"
    return sign in _NO_TEMPLATES and left == right and not left.endswith("&")


RULE = Rule(
    id="HA-K160",
    slug="own-vector-operator",
    title="Operator of the project's own on a built-in vector type",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="HIP's vector types have arithmetic operators, component by component, which CUDA's lack. "
    "For += and its kind, and for the product and quotient of two vectors, a second operator of "
    "the same types for host and device makes every such expression ambiguous; others of your own "
    "are still preferred, and hide HIP's.",
    fix="Leave the operators out of HIP builds where they work component by component; rename the "
    "others (a complex product, a product of quaternions) and call them by name.",
    evidence=(
        VECTOR_TYPES,
        RuleEvidence(
            "HeCBench's HIP programs go without helper_math.h, and use HIP's operators",
            "zjin-lcf/HeCBench:src/mdh-hip/main.cu",
            RocmRelease(6, 2),
        ),
        RuleEvidence(
            "PyTorch3D builds its operators on float2 and float3 for CUDA only",
            "facebookresearch/pytorch3d:pytorch3d/csrc/utils/float_math.cuh",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__host__ __device__ void operator+=(float3& a, float3 b) { a.x += b.x; }",
        hip="__host__ __device__ void add(float3& a, float3 b) { a.x += b.x; }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    per_file=True,
    check=_check,
)
