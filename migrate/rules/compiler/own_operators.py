"""A project's operators on float4 and its kind, which HIP's vector types have themselves."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import VECTOR_TYPES

_NO_TEMPLATES = frozenset({"*", "/"})
"""What HIP defines for two vectors as a plain function; the others are templates, which a plain
function of the same types goes before."""
_COMPLEX = (
    "HIP multiplies and divides complex numbers component by component, since they are float2 and "
    "double2: without an operator of your own the code compiles and computes something else."
)


def _check(code: Code) -> Iterator[Hit]:
    marks = list(code.marks(MarkKind.OWN_OPERATOR))
    together = any(map(_is_ambiguous, marks))
    for mark in marks:
        detail = _COMPLEX if "omplex" in mark.values[1] and mark.values[0][0] in "*/" else ""
        if _is_ambiguous(mark):
            yield code.hit(mark, detail=detail, confidence=Confidence.CERTAIN)
        else:
            # Alone it compiles and is preferred; beside ambiguous ones it is part of one edit.
            confidence = Confidence.LIKELY if together else Confidence.POSSIBLE
            yield code.hit(mark, detail=detail, confidence=confidence)


def _is_ambiguous(mark: Mark) -> bool:
    """Whether a call finds HIP's operator as good as this one."""
    sign, left, right = mark.values
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
    "the same types makes every such expression ambiguous; others of your own are still preferred.",
    fix="Leave the operators out of HIP builds where they work component by component; rename the "
    "others (a complex product, a product of quaternions) and call them by name.",
    evidence=(
        VECTOR_TYPES,
        RuleEvidence(
            "PyTorch3D builds its operators on float2 and float3 for CUDA only",
            "facebookresearch/pytorch3d:pytorch3d/csrc/utils/float_math.cuh",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__device__ void operator+=(float3& a, const float3& b) { a.x += b.x; }",
        hip="__device__ void add(float3& a, const float3& b) { a.x += b.x; }",
    ),
    driver=Driver.HAZARD_KIND,
    per_file=True,
    check=_check,
)
