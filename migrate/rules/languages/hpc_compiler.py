"""NVIDIA's HPC compilers and their options: CUDA Fortran, OpenACC, standard parallelism."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.languages.sources import ROCM_COMPILERS, ROCM_OPENMP

_MEANINGS = (
    ("-acc", "-acc asks for OpenACC, which ROCm's compilers do not take."),
    ("-cudalib", "-cudalib links CUDA's libraries: name hipBLAS, hipFFT and the others instead."),
    ("-Mcudalib", "-Mcudalib links CUDA's libraries: name hipBLAS, hipFFT and the others instead."),
    ("-cuda", "-cuda asks for CUDA Fortran, which no compiler for AMD GPUs takes."),
    ("-Mcuda", "-Mcuda asks for CUDA Fortran, which no compiler for AMD GPUs takes."),
    ("-stdpar", "-stdpar is --hipstdpar in clang, for C++ alone."),
    ("-mp=", "-mp=gpu is -fopenmp --offload-arch=<gfx> in amdclang and amdflang."),
    ("-ta=", "-ta names the GPU of OpenACC: the AMD GPU goes to --offload-arch."),
    ("-gpu=", "-gpu names the GPU: the AMD GPU goes to --offload-arch."),
)


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.HPC_OPTION):
        said = next(said for start, said in _MEANINGS if signal.value.startswith(start))
        yield code.hit(signal, detail=said)


RULE = Rule(
    id="HA-E184",
    slug="hpc-compiler-option",
    title="Option of NVIDIA's HPC compilers",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="nvfortran, nvc and nvc++ build for NVIDIA GPUs and CPUs only, and other compilers know "
    "none of these options.",
    fix="Build with amdclang, amdclang++ or amdflang, or with Cray's compilers, and give each "
    "option its counterpart; what turns a language on has none where the language has none.",
    evidence=(
        ROCM_COMPILERS,
        ROCM_OPENMP,
        RuleEvidence(
            "clang: --hipstdpar, standard parallelism on AMD GPUs",
            "llvm/llvm-project:clang/docs/HIPSupport.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="FC = nvfortran\nFFLAGS = -O3 -mp=gpu -gpu=cc80\n",
        hip="FC = amdflang\nFFLAGS = -O3 -fopenmp --offload-arch=gfx942\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
