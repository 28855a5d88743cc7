"""OpenACC directives, in Fortran and in C or C++."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.languages.sources import ROCM_COMPILERS, ROCM_OPENMP

_BESIDE = "The file has OpenMP target directives too: see whether they say the same already."


def _check(code: Code) -> Iterator[Hit]:
    beside = any(True for _ in code.signals(Kind.OPENMP_TARGET)) or any(
        mark.symbol.startswith("omp") for mark in code.marks(MarkKind.OFFLOAD_PRAGMA)
    )
    said = _BESIDE if beside else ""
    confidence = Confidence.POSSIBLE if beside else None
    for signal in code.signals(Kind.OPENACC):
        yield code.hit(signal, symbol="!$acc", detail=said, confidence=confidence)
    for mark in code.marks(MarkKind.OFFLOAD_PRAGMA):
        if mark.symbol.startswith("acc"):
            yield code.hit(mark, symbol="#pragma acc", detail=said, confidence=confidence)


RULE = Rule(
    id="HA-E183",
    slug="openacc",
    title="OpenACC directives",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="ROCm's compilers take OpenMP, not OpenACC: the directives are comments to them and the "
    "loops run on the CPU, without a message. Nothing in the estimate holds the translation.",
    fix="Translate the directives to OpenMP target: parallel loop to target teams loop, data to "
    "target data, host_data use_device to target data use_device_addr; loops and data stay as they "
    "are. On a Cray system the Fortran compiler of HPE takes OpenACC for AMD GPUs (2.0 in full, "
    "later versions in part), its C and C++ compilers do not; a GCC built with amdgcn offload does "
    "for all three. Measure before choosing either.",
    evidence=(
        ROCM_COMPILERS,
        ROCM_OPENMP,
        RuleEvidence(
            "GCC's OpenACC, and the option that turns it on",
            "https://gcc.gnu.org/onlinedocs/gfortran/OpenACC.html",
        ),
        RuleEvidence(
            "Frontier: OpenACC from Cray's Fortran compiler alone, OpenMP from Cray's and AMD's",
            "olcf/olcf-user-docs:systems/frontier_user_guide.rst",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="!$acc parallel loop collapse(2) copy(y)\ndo j = 1, m\n",
        hip="!$omp target teams loop collapse(2) map(tofrom: y)\ndo j = 1, m\n",
        name="relax.f90",
    ),
    driver=Driver.NONE,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    check=_check,
    per_file=True,
)
