"""CUDA in package recipes: Spack, EasyBuild, Conan, vcpkg, Nix, conda-build."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code

_WAYS = {
    "spack": "Derive the package from ROCmPackage too: it brings the variants rocm and "
    "amdgpu_target (+rocm amdgpu_target=gfx942 for +cuda cuda_arch=90), the dependencies on hip "
    "and llvm-amdgpu and their conflicts. In specs and environments take these variants where "
    "the package has them.",
    "easybuild": "Depend on ROCm's modules in place of CUDA, and name the GPUs by "
    "amdgcn_capabilities, which newer versions of EasyBuild have beside cuda_compute_capabilities.",
    "conan": "Add an option for HIP beside the one for CUDA; find ROCm as an installed system "
    "package, as Conan Center does with the CUDA toolkit.",
    "vcpkg": "Add a feature for HIP beside cuda; ROCm itself comes from its own installer, and the "
    "port only passes the CMake option on.",
    "nix": "Take rocmPackages (clr, hipblas, rocfft and the others) under config.rocmSupport, as "
    "nixpkgs does beside cudaSupport.",
    "conda": "Build a variant of its own against ROCm, outside compiler('cuda'): the CUDA compiler "
    "packages and version pins of conda-forge do not apply.",
}


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.RECIPE):
        system, _, word = signal.value.partition(":")
        yield code.hit(signal, symbol=word, fix=_WAYS[system])


RULE = Rule(
    id="HA-E186",
    slug="package-recipe",
    title="CUDA in a package recipe",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="The recipe builds the package for NVIDIA GPUs and pulls NVIDIA's toolkit in; nobody can "
    "install the port from it.",
    fix="Give the recipe a variant for ROCm beside the one for CUDA.",
    evidence=(
        RuleEvidence(
            "Spack: ROCmPackage, its variants and dependencies",
            "https://spack.readthedocs.io/en/latest/build_systems/rocmpackage.html",
        ),
        RuleEvidence(
            "EasyBuild: templates and options for AMD GPUs",
            "easybuilders/easybuild-framework:easybuild/framework/easyconfig/templates.py",
        ),
        RuleEvidence(
            "nixpkgs: config.rocmSupport beside cudaSupport, and rocmPackages",
            "NixOS/nixpkgs:pkgs/top-level/config.nix",
        ),
    ),
    example=Example(
        cuda="from spack.package import *\n\n\nclass Waves(CMakePackage, CudaPackage):\n    pass\n",
        hip="from spack.package import *\n\n\nclass Waves(CMakePackage, ROCmPackage):\n    pass\n",
        name="package.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
