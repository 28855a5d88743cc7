"""What build files, recipes and manifests say of GPUs without naming CUDA's compiler."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Language
from migrate.model.verdict import State
from migrate.parse.ecosystem.reader import read_ecosystem

_MANY_CRATES = "".join(f'a{number}="1"\n' for number in range(50_000))
_KINDS = (Kind.HPC_OPTION, Kind.OFFLOAD_TARGET, Kind.LAYER_SWITCH, Kind.RECIPE, Kind.BINDING)


def said(facts: EcosystemFacts, *kinds: Kind) -> list[tuple[str, int]]:
    return [(one.value, one.line) for one in facts.signals if one.kind in (kinds or _KINDS)]


def make(text: str) -> EcosystemFacts:
    return read_ecosystem("Makefile", Language.MAKE, text)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("FFLAGS = -Mcuda=cc70,ptxinfo -fast", ["-Mcuda=cc70,ptxinfo"]),
        ("FFLAGS = -cuda -gpu=cc80", ["-cuda", "-gpu=cc80"]),
        ("FFLAGS = -acc=gpu -gpu=managed", ["-acc=gpu", "-gpu=managed"]),
        ("FFLAGS = -acc=multicore -stdpar=multicore -gpu=host", []),
        ("LIBS = -Mcudalib=cublas,cufft", ["-Mcudalib=cublas,cufft"]),
        ("CXXFLAGS = -stdpar=gpu -mp=gpu", ["-mp=gpu", "-stdpar=gpu"]),
        ("X = -gpu=true --cuda -cuda-path=/x -accel", []),
        ("group = $(REF)-cuda", []),
        ("# FFLAGS = -acc", []),
    ],
)
def test_options_of_hpc_compilers(line: str, found: list[str]) -> None:
    facts = make(f"FC = nvfortran\n{line}\n")
    assert sorted(value for value, _ in said(facts, Kind.HPC_OPTION)) == found


def test_short_options_need_one_of_the_compilers() -> None:
    assert said(make("FC = gfortran\nX = -acc -cuda\n")) == []


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("set(Kokkos_ENABLE_CUDA ON)", State.ACTIVE),
        ("cmake -DKokkos_ENABLE_CUDA:BOOL=ON ..", State.ACTIVE),
        ("set(Kokkos_ENABLE_CUDA ON)\nset(Kokkos_ENABLE_HIP ON)", State.PORTED),
    ],
)
def test_switch_of_a_layer(text: str, state: State) -> None:
    facts = read_ecosystem("CMakeLists.txt", Language.CMAKE, text)
    found = [one for one in facts.signals if one.kind is Kind.LAYER_SWITCH]
    assert [(one.value, one.line, one.state) for one in found] == [("Kokkos_ENABLE_CUDA", 1, state)]


@pytest.mark.parametrize(
    "line",
    ["if(Kokkos_ENABLE_CUDA)", "set(Kokkos_ENABLE_CUDA OFF)", "set(MY_Kokkos_ENABLE_CUDA ON)"],
)
def test_question_after_a_switch_is_none(line: str) -> None:
    facts = read_ecosystem("CMakeLists.txt", Language.CMAKE, line)
    assert said(facts, Kind.LAYER_SWITCH) == []


def test_target_beside_one_of_amd_is_ported() -> None:
    text = "A = -fopenmp-targets=nvptx64\nB = -fopenmp-targets=amdgcn-amd-amdhsa\n"
    found = [one for one in make(text).signals if one.kind is Kind.OFFLOAD_TARGET]
    assert [(one.value, one.state) for one in found] == [("-fopenmp-targets=nvptx64", State.PORTED)]


@pytest.mark.parametrize(
    ("path", "language", "text", "found"),
    [
        (
            "p/package.py",
            Language.PYTHON,
            "from spack.package import *\nclass A(CudaPackage):\n    pass\n",
            [("spack:CudaPackage", 2)],
        ),
        ("p/package.py", Language.PYTHON, "class A(CudaPackage):\n    pass\n", []),
        (
            "a.sh",
            Language.SHELL,
            "spack install hypre +cuda cuda_arch=80\necho +cuda\n",
            [("spack:+cuda", 1), ("spack:cuda_arch=80", 1)],
        ),
        (
            "conanfile.py",
            Language.PYTHON,
            'options = {"with_cuda": [True, False]}\n# "with_cuda": 1\n',
            [("conan:with_cuda", 1)],
        ),
        ("vcpkg.json", Language.OTHER_BUILD, '{"features": {\n"cuda": {}}}', [("vcpkg:cuda", 2)]),
        ("a.eb", Language.OTHER_BUILD, "x = [('CUDA', '12')]\n", [("easybuild:CUDA", 1)]),
        (
            "recipe/meta.yaml",
            Language.YAML,
            "build:\n  - {{ compiler('cuda') }}\n",
            [("conda:compiler('cuda')", 2)],
        ),
        ("notes.yaml", Language.YAML, "a: +cuda\n", []),
    ],
)
def test_recipe_says(
    path: str, language: Language, text: str, found: list[tuple[str, int]]
) -> None:
    assert sorted(said(read_ecosystem(path, language, text), Kind.RECIPE)) == found


@pytest.mark.parametrize(
    ("path", "language", "text", "found"),
    [
        (
            "Cargo.toml",
            Language.TOML,
            (
                '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\n'
                'cudarc = { version = "0.1" }\ngpu = { package = "cust", version = "1" }\n'
                '[target."x".dependencies.nvml-wrapper]\nversion = "1"\n'
            ),
            [("cargo:cudarc", 6), ("cargo:cust", 7), ("cargo:nvml-wrapper", 8), ("cargo:serde", 5)],
        ),
        (
            "Project.toml",
            Language.TOML,
            'name = "A"\n[deps]\nCUDA = "0527"\n[compat]\nCUDA = "5"\n',
            [("julia:CUDA", 3)],
        ),
        (
            "go.mod",
            Language.OTHER_BUILD,
            (
                "module a.b/c\nrequire (\n\tgithub.com/NVIDIA/go-nvml v0.12.0\n"
                "\tgithub.com/a/b v1.0.0 // indirect\n)\n"
            ),
            [("go:github.com/NVIDIA/go-nvml", 3)],
        ),
        (
            "pom.xml",
            Language.OTHER_BUILD,
            "<dependency>\n<groupId>org.jcuda</groupId>\n<artifactId>jcuda</artifactId>\n",
            [("maven:org.jcuda:jcuda", 3)],
        ),
        (
            "build.gradle",
            Language.OTHER_BUILD,
            "dependencies {\n  implementation 'org.jcuda:jcublas:11.8.0'\n}\n",
            [("maven:org.jcuda:jcublas", 2)],
        ),
        (
            "A.csproj",
            Language.OTHER_BUILD,
            '<ItemGroup>\n<PackageReference Include="ManagedCuda-12" Version="1" />\n',
            [("nuget:ManagedCuda-12", 2)],
        ),
        ("a.jl", Language.OTHER_CODE, "using Test, CUDA\n# using CUDA\n", [("julia:CUDA", 1)]),
        ("A.java", Language.OTHER_CODE, "import static jcuda.driver.A.*;\n", [("java:jcuda", 1)]),
        ("a.m", Language.OTHER_CODE, "x = gpuArray(y);\n% mexcuda(a)\n", [("matlab:gpuArray", 1)]),
        ("a.rs", Language.OTHER_CODE, "use cudarc::driver;\n", []),
    ],
)
def test_manifest_or_code_names_a_binding(
    path: str, language: Language, text: str, found: list[tuple[str, int]]
) -> None:
    assert sorted(said(read_ecosystem(path, language, text), Kind.BINDING)) == found


def test_julia_package_for_both_is_ported() -> None:
    text = '[weakdeps]\nCUDA = "0527"\nAMDGPU = "2114"\n'
    facts = read_ecosystem("Project.toml", Language.TOML, text)
    assert {one.state for one in facts.signals if one.kind is Kind.BINDING} == {State.PORTED}


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.go", "// #cgo LDFLAGS: -lcudart -lm\n", ["cudart"]),
        ("b.rs", '#[link(name = "cublas")]\n', ["cublas"]),
    ],
)
def test_other_languages_link_cuda(path: str, text: str, found: list[str]) -> None:
    facts = read_ecosystem(path, Language.OTHER_CODE, text)
    assert [one.value for one in facts.signals if one.kind is Kind.LINK] == found


@given(st.text(alphabet="-=gpucd+{}[]\"\n ()#'<>/", max_size=200))
def test_any_text_is_read(text: str) -> None:
    for path, language in (
        ("Cargo.toml", Language.TOML),
        ("pom.xml", Language.OTHER_BUILD),
        ("a.nix", Language.OTHER_BUILD),
        ("a.jl", Language.OTHER_CODE),
    ):
        read_ecosystem(path, language, text)


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("Makefile", Language.MAKE, "nvfortran " + "-gpu=cc80," * 100_000),
        ("Makefile", Language.MAKE, "kokkos " + "Kokkos_ENABLE_CUDA " * 50_000),
        ("Cargo.toml", Language.TOML, "[dependencies]\n" + _MANY_CRATES),
        ("pom.xml", Language.OTHER_BUILD, "<groupId>" * 100_000),
        ("a.csproj", Language.OTHER_BUILD, "<PackageReference " * 50_000),
        ("go.mod", Language.OTHER_BUILD, "a.b/" * 200_000),
        ("a.jl", Language.OTHER_CODE, "using " + "A," * 200_000),
        ("a.nix", Language.OTHER_BUILD, "cudaPackages" * 100_000),
    ],
    ids=range(8),
)  # fmt: skip
def test_hostile_text_takes_linear_time(path: str, language: Language, text: str) -> None:
    start = time.process_time()
    read_ecosystem(path, language, text)
    assert time.process_time() - start < 5
