"""A member template of a dependent type called without the word ``template``."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import CLANG_DIALECT


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.DEPENDENT_CALL):
        member = mark.values[0]
        yield code.hit(mark, fix=f"Write template before {member}: the compiler needs the word.")


RULE = Rule(
    id="HA-K161",
    slug="template-keyword-missing",
    title="Member template of a dependent type without the word template",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="What X<T>::f is cannot be known before T is, so C++ takes the < behind it for less-than "
    "unless the word template stands before f. nvcc guesses, clang reports an error.",
    fix="Write X<T>::template f<N>(), object.template f<N>().",
    evidence=(
        CLANG_DIALECT,
        RuleEvidence(
            "Apex adds the word in 24 places of its HIP build",
            "ROCm/apex:apex/contrib/csrc/groupbn/nhwc_batch_norm_kernel.h",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="template <typename T> struct S { template <int N> static __device__ int f(); };\n"
        "template <typename T> __device__ int g() { return S<T>::f<3>(); }",
        hip="template <typename T> struct S { template <int N> static __device__ int f(); };\n"
        "template <typename T> __device__ int g() { return S<T>::template f<3>(); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    per_file=True,
    check=_check,
)
