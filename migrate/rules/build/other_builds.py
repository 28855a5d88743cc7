"""SCons, waf or xmake files that build with CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import builds_with, hits
from migrate.rules.build.sources import HIPCC
from migrate.rules.code import Code

_BUILDS = ("scons", "waf", "xmake")


def _check(code: Code) -> Iterator[Hit]:
    if builds_with(code, *_BUILDS):
        yield from hits(code, code.signals(Kind.CUDA_RULE), named=True)


RULE = Rule(
    id="HA-E020",
    slug="other-build-cuda",
    title="CUDA built by another build system",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The tool that the build system has for CUDA calls nvcc.",
    fix="Compile with hipcc as the compiler of .cu files in the AMD build, and take the "
    "libraries' names of ROCm.",
    evidence=(HIPCC,),
    example=Example(
        cuda="env.Append(BUILDERS={'Cuda': Builder(action='nvcc -c $SOURCE -o $TARGET')})\n",
        hip="env.Append(BUILDERS={'Hip': Builder(action='hipcc -c $SOURCE -o $TARGET')})\n",
        name="SConstruct",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
