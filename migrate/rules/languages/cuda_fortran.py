"""Kernels of CUDA Fortran: procedures for the device, loops under ``!$cuf``, launches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.languages.sources import HIPFORT, ROCM_COMPILERS, ROCM_OPENMP

_WORDS = {
    Kind.FORTRAN_KERNEL: ("kernel", "kernels"),
    Kind.FORTRAN_DEVICE_CODE: ("procedure for the device", "procedures for the device"),
    Kind.CUF_LOOP: ("loop under !$cuf", "loops under !$cuf"),
    Kind.FORTRAN_LAUNCH: ("launch", "launches"),
}


def _check(code: Code) -> Iterator[Hit]:
    signals = sorted(code.signals(*_WORDS), key=lambda signal: (signal.line, signal.kind))
    for number, signal in enumerate(signals):
        yield code.hit(signal, detail="" if number else _count(signal.kind for signal in signals))


def _count(kinds: Iterator[Kind]) -> str:
    """How much there is of each kind, in a sentence."""
    counts = Counter(kinds)
    said = [
        f"{counts[kind]} {words[counts[kind] > 1]}"
        for kind, words in _WORDS.items()
        if counts[kind]
    ]
    return f"In this file: {', '.join(said)}."


RULE = Rule(
    id="HA-E180",
    slug="cuda-fortran-kernel",
    title="Kernel in CUDA Fortran",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="No compiler for AMD GPUs takes CUDA Fortran: attributes(global), !$cuf kernel do and "
    "launches with <<<>>> are NVIDIA's own. ROCm's Fortran compiler takes OpenMP. Nothing in the "
    "estimate holds the rewrite.",
    fix="Loops under !$cuf and kernels that are loops over an index become OpenMP target loops in "
    "Fortran. Kernels that use shared memory or work together in a block are written in HIP C++ "
    "behind a bind(c) interface. Plan this work beside the estimate, kernel by kernel.",
    evidence=(
        ROCM_COMPILERS,
        ROCM_OPENMP,
        HIPFORT,
        RuleEvidence(
            "gpufort, the source translator for CUDA Fortran, calls itself a research project",
            "ROCm/gpufort:README.md",
        ),
    ),
    example=Example(
        cuda="!$cuf kernel do(1) <<<*,*>>>\ndo i = 1, n\n  y(i) = y(i) + a * x(i)\nend do\n",
        hip="!$omp target teams distribute parallel do\n"
        "do i = 1, n\n  y(i) = y(i) + a * x(i)\nend do\n",
        name="axpy.F90",
    ),
    driver=Driver.NONE,
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
