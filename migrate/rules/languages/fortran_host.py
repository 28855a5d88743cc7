"""The host's side of CUDA Fortran: CUDA's modules, attributes of data, calls of CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.languages.sources import HIPFORT, HIPFORT_ARRAYS

_NOT_CUDA_FORTRAN = ("openacc", "nvtx", "mpi")
"""Modules that are no part of it: nvtx is a project's own, whose interfaces HA-E182 tells."""
_PORTED = "The tree takes hipFORT's modules elsewhere: its build for HIP may pass over this."


def _check(code: Code) -> Iterator[Hit]:
    if code.facts.language is not Language.FORTRAN:
        return
    ported = code.base.uses_hipfort
    for signal in code.signals(Kind.IMPORT, Kind.FORTRAN_DEVICE_DATA, Kind.FORTRAN_CALL):
        if not signal.value.startswith(_NOT_CUDA_FORTRAN):
            yield code.hit(
                signal,
                detail=_PORTED if ported else "",
                confidence=Confidence.POSSIBLE if ported else None,
            )


RULE = Rule(
    id="HA-E181",
    slug="cuda-fortran-host",
    title="CUDA's modules, calls and data attributes in Fortran",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="cudafor, cublas, cufft and their kind are modules of NVIDIA's compiler, and the "
    "attributes device, managed, pinned and constant its language: other compilers know neither. "
    "Assignments between host and device arrays are copies that only NVIDIA's compiler makes. "
    "Nothing in the estimate holds this work.",
    fix="Take hipFORT's modules: hipMalloc and hipMemcpy take array pointers and numbers of "
    "elements, hipblas, hipfft and the others follow CUDA's calls. An array with the attribute "
    "device becomes a pointer that hipMalloc sets, and an assignment to it a hipMemcpy; or let "
    "OpenMP map ordinary arrays.",
    evidence=(HIPFORT, HIPFORT_ARRAYS),
    example=Example(
        cuda="use cudafor\nreal, device, allocatable :: x_d(:)\nallocate(x_d(n))\nx_d = x\n",
        hip="use hipfort\nreal, pointer :: x_d(:)\nierr = hipMalloc(x_d, shape(x))\n"
        "ierr = hipMemcpy(x_d, x, size(x), hipMemcpyHostToDevice)\n",
        name="fields.F90",
    ),
    driver=Driver.NONE,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    check=_check,
    per_file=True,
)
