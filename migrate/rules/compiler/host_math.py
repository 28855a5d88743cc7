"""Mathematical functions that CUDA has on both sides and HIP in device code alone."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import CLANG_MATH


def _check(code: Code) -> Iterator[Hit]:
    compiled = code.facts.language is Language.CUDA
    for mark in code.marks(MarkKind.HOST_MATH):
        # In other files a host compiler may have given the name its meaning.
        yield code.hit(mark, confidence=None if compiled else Confidence.POSSIBLE)


RULE = Rule(
    id="HA-K169",
    slug="device-math-on-host",
    title="CUDA's mathematical function called in host code",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="nvcc offers rsqrtf, rcbrt, sinpi, normcdf, erfinv and their kind to host functions too. "
    "In HIP they are device functions only: a call from a host function is an error. A helper, or "
    "a template's specialisation, without __device__ is a host function.",
    fix="Write it with the C library (1 / sqrtf(x)), or add the __device__ that is missing.",
    evidence=(CLANG_MATH,),
    example=Example(
        cuda="float scale(float x) { return rsqrtf(x); }\n"
        "__global__ void f(float* a) { a[0] = 1; }",
        hip="float scale(float x) { return 1 / sqrtf(x); }\n"
        "__global__ void f(float* a) { a[0] = rsqrtf(1.0f); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.LIKELY,
    check=_check,
)
