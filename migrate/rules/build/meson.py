"""Meson files that build with the language cuda or its dependency."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import builds_with, hits
from migrate.rules.build.sources import MESON_HIP
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if builds_with(code, "meson"):
        yield from hits(code, code.signals(Kind.CUDA_RULE), named=True)


RULE = Rule(
    id="HA-E018",
    slug="meson-cuda",
    title="Language CUDA in Meson",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="Meson has a language for CUDA and none for HIP: a feature request is open.",
    fix="Compile with hipcc or amdclang++ as the C++ compiler of the AMD build (-x hip "
    "--offload-arch= as cpp_args), or by a generator, and find the libraries with "
    "dependency() from their CMake packages.",
    evidence=(MESON_HIP,),
    example=Example(
        cuda="project('heat', 'cpp', 'cuda')\ncuda = dependency('cuda', modules: ['cublas'])\n",
        hip="project('heat', 'cpp')\n"
        "hip = dependency('hip', method: 'cmake', modules: ['hip::host'])\n",
        name="meson.build",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
