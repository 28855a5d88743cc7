"""OpenMP and SYCL compiled for NVIDIA GPUs: the target that a build names."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.languages.sources import ROCM_OPENMP

_OPENMP = "OpenMP: -fopenmp --offload-arch=gfx942 in amdclang, amdclang++ and amdflang."
_GCC = "GCC: -foffload=amdgcn-amdhsa, with a GCC that was built for it."
_SYCL = (
    "DPC++: -fsycl-targets=amdgcn-amd-amdhsa -Xsycl-target-backend --offload-arch=gfx942, or "
    "-fsycl-targets=amd_gpu_gfx942."
)
_ACPP = "AdaptiveCpp: --acpp-targets=hip:gfx942, or generic."


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.OFFLOAD_TARGET):
        yield code.hit(signal, detail=_said(signal.value))


def _said(option: str) -> str:
    if option.startswith("-fopenmp"):
        return _OPENMP
    if option.startswith("-foffload"):
        return _GCC
    return _SYCL if option.startswith("-fsycl") else _ACPP


RULE = Rule(
    id="HA-E189",
    slug="offload-target",
    title="OpenMP or SYCL compiled for NVIDIA GPUs",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="The option names NVIDIA's target; the code itself is portable, and another value builds "
    "it for AMD GPUs.",
    fix="Give the target of the AMD GPU, by a setting of the build rather than a second copy of "
    "the line. Check what the code says of 32 lanes: CDNA GPUs have 64.",
    evidence=(
        ROCM_OPENMP,
        RuleEvidence(
            "Frontier: OpenMP offload and SYCL for AMD GPUs, the options",
            "olcf/olcf-user-docs:systems/frontier_user_guide.rst",
            RocmRelease(7, 0),
        ),
        RuleEvidence("AdaptiveCpp: back ends and targets", "AdaptiveCpp/AdaptiveCpp:README.md"),
    ),
    example=Example(
        cuda="CXXFLAGS = -O3 -fopenmp -fopenmp-targets=nvptx64\n",
        hip="CXXFLAGS = -O3 -fopenmp --offload-arch=gfx942\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
