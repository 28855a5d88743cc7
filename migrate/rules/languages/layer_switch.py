"""The switch that builds a portable layer for CUDA: what it is for HIP."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code

_SWITCHES = (
    (
        "kokkos_arch",
        "Kokkos_ARCH_AMD_GFX942 is an MI300X, AMD_GFX942_APU an MI300A, AMD_GFX90A an MI200.",
    ),
    ("kokkos_devices", "Kokkos' own makefiles: KOKKOS_DEVICES=Hip, KOKKOS_ARCH=AMD_GFX942."),
    ("kokkos", "Kokkos: Kokkos_ENABLE_HIP=ON with the Kokkos_ARCH_AMD_... of the GPU."),
    ("raja", "RAJA: ENABLE_HIP=ON and RAJA_ENABLE_HIP=ON; policies cuda_exec become hip_exec."),
    ("umpire", "Umpire: UMPIRE_ENABLE_HIP=ON."),
    ("chai", "CHAI: CHAI_ENABLE_HIP=ON."),
    ("alpaka", "alpaka: alpaka_ACC_GPU_HIP_ENABLE=ON."),
    ("amrex", "AMReX: AMReX_GPU_BACKEND=HIP with AMReX_AMD_ARCH=gfx942."),
    ("mfem", "MFEM: MFEM_USE_HIP=YES with HIP_ARCH=gfx942."),
    ("occa", "OCCA: OCCA_ENABLE_HIP=ON; the mode HIP is chosen at run time."),
    ("trilinos", "Trilinos: Kokkos_ENABLE_HIP=ON with the Kokkos_ARCH_AMD_... of the GPU."),
    ("tpl_", "Trilinos: Kokkos_ENABLE_HIP=ON in place of TPL_ENABLE_CUDA."),
)


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.LAYER_SWITCH):
        name = signal.value.lower()
        said = next(said for start, said in _SWITCHES if name.startswith(start))
        yield code.hit(signal, detail=said)


RULE = Rule(
    id="HA-E188",
    slug="layer-for-cuda",
    title="Portable layer built for CUDA",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="The layer has a back end for HIP, and code that is written against it is built for AMD "
    "GPUs by another switch. CUDA code beside it counts by itself.",
    fix="Build the layer and the project with the switch for HIP, and measure: teams and vector "
    "lengths follow the wavefront.",
    evidence=(
        RuleEvidence(
            "Kokkos: configuration, back ends and architectures",
            "https://kokkos.org/kokkos-core-wiki/get-started/configuration-guide.html",
        ),
        RuleEvidence("Kokkos: the names of AMD's GPUs", "kokkos/kokkos:cmake/kokkos_arch.cmake"),
        RuleEvidence(
            "RAJA: getting started, options for HIP",
            "LLNL/RAJA:docs/sphinx/user_guide/getting_started.rst",
        ),
        RuleEvidence(
            "AMReX: GPU, building with CMake",
            "AMReX-Codes/amrex:Docs/sphinx_documentation/source/GPU.rst",
        ),
        RuleEvidence("alpaka: accelerators", "alpaka-group/alpaka:README.md"),
        RuleEvidence("MFEM: installation", "mfem/mfem:INSTALL"),
    ),
    example=Example(
        cuda="set(Kokkos_ENABLE_CUDA ON)\nset(Kokkos_ARCH_AMPERE80 ON)\n",
        hip="set(Kokkos_ENABLE_HIP ON)\nset(Kokkos_ARCH_AMD_GFX942 ON)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
