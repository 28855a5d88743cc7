"""A specialisation of a device function template without ``__device__``."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import CLANG_HIP


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.BARE_SPECIALISATION):
        yield code.hit(mark)


RULE = Rule(
    id="HA-K162",
    slug="specialisation-without-device",
    title="Specialisation that does not repeat the template's __device__",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="clang tells host and device functions apart as overloads: a specialisation without "
    "__device__ is a host function, which specialises no template of the device, and it is an "
    "error. nvcc takes the attributes from the template.",
    fix="Repeat the template's __device__, __host__ or __global__ on each specialisation.",
    evidence=(CLANG_HIP,),
    example=Example(
        cuda="template <typename T> __device__ T half_of(T x) { return x / 2; }\n"
        "template <> float half_of(float x) { return x * 0.5f; }",
        hip="template <typename T> __device__ T half_of(T x) { return x / 2; }\n"
        "template <> __device__ float half_of(float x) { return x * 0.5f; }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    per_file=True,
    check=_check,
)
