"""What each kind of file says, and what it must not be taken to say."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.model.signals import EcosystemFacts, Kind, Signal
from migrate.model.source import Language
from migrate.parse.ecosystem import reader
from migrate.parse.ecosystem.reader import read_ecosystem


def said(facts: EcosystemFacts, kind: Kind) -> list[tuple[str, int]]:
    return [(one.value, one.line) for one in facts.signals if one.kind is kind]


def values(facts: EcosystemFacts, kind: Kind) -> set[str]:
    return {value for value, _ in said(facts, kind)}


def cmake(text: str, path: str = "CMakeLists.txt") -> EcosystemFacts:
    return read_ecosystem(path, Language.CMAKE, text)


def python(text: str, path: str = "setup.py") -> EcosystemFacts:
    return read_ecosystem(path, Language.PYTHON, text)


def yaml(text: str, path: str = ".github/workflows/ci.yml") -> EcosystemFacts:
    return read_ecosystem(path, Language.YAML, text)


@pytest.mark.parametrize(
    "text",
    [
        "project(x LANGUAGES CXX CUDA)",
        "project(x CXX CUDA)",
        "enable_language(CUDA)",
        "find_package(CUDAToolkit REQUIRED)",
        "cuda_add_library(x a.cu)",
        "SET_SOURCE_FILES_PROPERTIES(a.cpp PROPERTIES LANGUAGE CUDA)",
    ],
)
def test_cmake_that_compiles_cuda_is_told(text: str) -> None:
    assert said(cmake(f"\n{text}\n"), Kind.BUILD_CUDA) == [("cmake", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "# enable_language(CUDA)",
        "#[[\nenable_language(CUDA)\n]]",
        "#[==[ enable_language(CUDA) ]] ]==]",
        'message("enable_language(CUDA)")',
        "message([=[ enable_language(CUDA) ]=])",
        "project(CUDA CXX)",
    ],
)
def test_comments_texts_and_names_do_not_compile_cuda(text: str) -> None:
    assert said(cmake(text), Kind.BUILD_CUDA) == []


def test_cmake_architectures_are_read_from_variables_properties_and_flags() -> None:
    facts = cmake(
        'set(CMAKE_CUDA_ARCHITECTURES "70;80-real;90a")\n'
        "list(APPEND CMAKE_CUDA_ARCHITECTURES 75)\n"
        "set_target_properties(x PROPERTIES CUDA_ARCHITECTURES 86 CUDA_STANDARD 17)\n"
        "set(CUDA_NVCC_FLAGS -gencode arch=compute_61,code=sm_61)\n"
        'set(TORCH_CUDA_ARCH_LIST "8.9;12.0+PTX")\n'
        "set(CMAKE_CXX_STANDARD 17)\nset(OTHER 60)\n"
    )
    assert values(facts, Kind.CUDA_ARCH) == {
        *("sm_70", "sm_80", "sm_90a", "sm_75", "sm_86", "sm_61", "sm_89", "sm_120")
    }


def test_cmake_libraries_are_read_in_every_spelling() -> None:
    facts = cmake(
        "target_link_libraries(x PRIVATE CUDA::cublas_static CUDA::cublasLt ${CUDA_cufft_LIBRARY}\n"
        "  ${NCCL_LIBRARIES} cudnn -lcusparse Threads::Threads m)\n"
        "cuda_add_cufft_to_target(y)\nset(MY_LIBS CUDA::curand)\n"
    )
    assert values(facts, Kind.LINK) == {
        *("cublas", "cublasLt", "cufft", "nccl", "cudnn", "cusparse", "curand")
    }


def test_a_copied_find_module_names_no_library() -> None:
    text = "find_library(CUDA_cublas_LIBRARY cublas)\nset(CUDA_LIBS CUDA::cublas)\n"
    assert cmake(text, "cmake/FindCUDAToolkit.cmake").signals == ()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("enable_language(HIP)", "enable_language(HIP)"),
        ("find_package(hip REQUIRED)", "find_package(hip)"),
        ("find_package(rocblas)", "find_package(rocblas)"),
        ("hip_add_executable(x a.hip)", "hip_add_executable"),
        ('option(USE_ROCM "for AMD" OFF)', "USE_ROCM"),
        ("if(NOT GGML_HIP AND X)\nendif()", "GGML_HIP"),
    ],
)
def test_hip_support_in_cmake_is_found(text: str, word: str) -> None:
    assert said(cmake(text), Kind.HIP) == [(word, 1)]


@pytest.mark.parametrize(
    "text", ["option(SHIP_IT)", "if(CHIP)\nendif()", "find_package(Threads)", 'message("HIP")']
)
def test_words_that_hold_hip_are_no_support(text: str) -> None:
    assert said(cmake(text), Kind.HIP) == []


@pytest.mark.parametrize(
    ("text", "optional"),
    [
        ("if(USE_CUDA)\n enable_language(CUDA)\nendif()", True),
        ("if(FAISS_ENABLE_GPU)\n enable_language(CUDA)\nendif()", True),
        ("include(CheckLanguage)\ncheck_language(CUDA)", True),
        ('option(WITH_CUDA "use the GPU" ON)', True),
        ("find_package(CUDAToolkit QUIET)", True),
        ("if(WIN32)\n enable_language(CUDA)\nendif()", False),
        ("if(USE_CUDA)\nendif()\nenable_language(CUDA)", False),
        ("project(x LANGUAGES CUDA)", False),
        ("option(USE_CUDA_LTO)\noption(ENABLE_CUDA_SMOKE_TESTS)", False),
        ("target_compile_options(cuda_flags INTERFACE -O3)", False),
    ],
)
def test_optional_cuda_is_told_from_required(text: str, optional: bool) -> None:
    assert bool(said(cmake(text), Kind.CUDA_OPTIONAL)) is optional


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        ("add_definitions(-DX -DY=1 -O2)", {"X", "Y=1"}),
        ("add_compile_definitions(X=1 Y)", {"X=1", "Y"}),
        ("target_compile_definitions(t PUBLIC X PRIVATE -DY=2)", {"X", "Y=2"}),
        ('target_compile_definitions(t PRIVATE "NAME=\\"a b\\"")', {'NAME="a b"'}),
        ('add_compile_definitions(X="one" Y)', {"Y"}),
        ("add_compile_options(-Wall -DX)", {"X"}),
        ("target_compile_options(t PRIVATE -DX)", {"X"}),
        ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -DX -O3")', {"X"}),
        ("list(APPEND CUDA_NVCC_FLAGS -DX;-DY)", {"X", "Y"}),
        ("set(CMAKE_CXX_FLAGS_DEBUG -DX)", set()),
        ("set(X -DY)", set()),
        ("add_definitions(-DX=${Y} -D${Z} X)", set()),
        ("target_compile_definitions(t PRIVATE $<$<CONFIG:Debug>:X> $<A:B C D> E)", {"E"}),
        (
            "add_definitions(-DUSE_ROCM -D__HIP_PLATFORM_AMD__ -DUSE_SYCL -D__CUDA_ARCH__=800)",
            set(),
        ),
        ("add_definitions(-DX=$(rm))", set()),
    ],
)
def test_cmake_macros_are_read_where_they_are_plain(text: str, macros: set[str]) -> None:
    assert values(cmake(text), Kind.DEFINITION) == macros


@pytest.mark.parametrize(
    ("opening", "taken"),
    [
        ("if(USE_CUDA)", True),
        ("if(${WITH_GPU})", True),
        ("if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND)", True),
        ("if(NOT USE_ROCM)", True),
        ("if(USE_ROCM)\nelse()", True),
        ("if(USE_HIP)\nelseif(USE_CUDA)", True),
        ("if(NOT USE_CUDA)\nelse()", True),
        ("if(OTHER)\nendif()\nif(USE_CUDA)", True),
        ("if(USE_ROCM)", False),
        ("if(NOT USE_CUDA)", False),
        ("if(USE_CUDA)\nelse()", False),
        ("if(USE_CUDA)\nelse(USE_CUDA)", False),
        ("if(USE_CUDA AND OTHER)", False),
        ("if(NOT USE_ROCM AND OTHER)", False),
        ("if(OTHER)\nif(USE_CUDA)", False),
        ("if(WIN32)", False),
        ("if()", False),
    ],
)
def test_cmake_macros_are_those_of_a_cuda_build(opening: str, taken: bool) -> None:
    assert bool(values(cmake(f"{opening}\nadd_definitions(-DX)"), Kind.DEFINITION)) is taken


@pytest.mark.parametrize(
    ("text", "cuda", "cxx"),
    [
        ("set(CMAKE_CUDA_STANDARD 17)\nset(CMAKE_CXX_STANDARD 20 CACHE STRING x)", "17", "20"),
        ("set_target_properties(t PROPERTIES CUDA_STANDARD 14 CXX_STANDARD 11)", "14", "11"),
        ("target_compile_features(t PUBLIC cxx_std_20 cuda_std_17)", "17", "20"),
        ('set(CMAKE_CXX_FLAGS "-O2 -std=gnu++17")', "", "17"),
        ("list(APPEND CUDA_NVCC_FLAGS -std=c++14)", "14", ""),
        ("add_compile_options(-std=c++2a)", "", "20"),
        ("if(WIN32)\nset(CMAKE_CXX_STANDARD 17)\nendif()", "", "17"),
        ("if(USE_HIP)\nset(CMAKE_CXX_STANDARD 17)\nendif()", "", ""),
        ("set(CMAKE_CXX_STANDARD ${X})\nset(CXX_STANDARD 17)", "", ""),
        ("set(CMAKE_CXX_STANDARD 98)", "", ""),
    ],
)
def test_cmake_standards_are_read_in_every_spelling(text: str, cuda: str, cxx: str) -> None:
    for kind, number in ((Kind.CUDA_STANDARD, cuda), (Kind.CXX_STANDARD, cxx)):
        assert values(cmake(text), kind) == ({f"c++{number}"} if number else set())


def test_cmake_tells_its_oldest_cuda_its_packages_and_tests() -> None:
    facts = cmake(
        "find_package(CUDAToolkit 12.2.1 REQUIRED)\nfind_package(NCCL)\nfind_package(GTest)\n"
        "enable_testing()\nFetchContent_Declare(c GIT_REPOSITORY https://github.com/NVIDIA/cutlass.git)\n"
        "include(CPack)\n"
    )
    assert said(facts, Kind.CUDA_AT_LEAST) == [("12.2", 1)]
    assert said(facts, Kind.FIND) == [("NCCL", 2)]
    assert values(facts, Kind.TEST_FRAMEWORK) == {"gtest", "ctest"}
    assert said(facts, Kind.SUBMODULE) == [("cutlass", 5)]
    assert said(facts, Kind.PACKAGE) == [("cpack", 6)]


def test_a_makefile_tells_compiler_architectures_libraries_and_switches() -> None:
    facts = read_ecosystem(
        "Makefile",
        Language.MAKE,
        "NVCC ?= nvcc  # not -lcudnn\nSMS ?= 70 80\nifeq ($(USE_HIP),1)\nCXX = hipcc\nendif\n"
        "ifdef USE_CUDA\nLIBS = -lcublas -L$(CUDA_HOME)/lib64 -lcudart -lineinfo\nendif\n"
        "ifdef CUDA_PATH\nendif\n# nvprof ./a\n",
    )
    assert values(facts, Kind.BUILD_CUDA) == {"make"}
    assert values(facts, Kind.CUDA_ARCH) == {"sm_70", "sm_80"}
    assert values(facts, Kind.LINK) == {"cublas", "cudart"}
    assert said(facts, Kind.HIP) == [("USE_HIP", 3), ("hipcc", 4)]
    assert values(facts, Kind.CUDA_OPTIONAL) == {"USE_CUDA"}
    assert values(facts, Kind.TOOL) == {"nvcc"}


@pytest.mark.parametrize(
    ("path", "text", "build"),
    [
        ("BUILD.bazel", 'load("@rules_cuda//cuda:defs.bzl", "cuda_library")\n', "bazel"),
        ("meson.build", "project('x', 'cpp', 'cuda')\n", "meson"),
        ("configure.ac", "AX_CHECK_CUDA\n", "autotools"),
        ("app.vcxproj", '<Import Project="CUDA 12.4.props" />\n', "msbuild"),
    ],
)
def test_other_build_systems_that_build_cuda_are_told(path: str, text: str, build: str) -> None:
    facts = read_ecosystem(path, Language.OTHER_BUILD, text)
    assert values(facts, Kind.BUILD_CUDA) == {build}


def test_submodules_are_named_by_their_address() -> None:
    text = '[submodule "x"]\n\tpath = deps/x\n\turl = https://github.com/NVIDIA/cutlass.git\n'
    facts = read_ecosystem(".gitmodules", Language.OTHER_BUILD, text)
    assert said(facts, Kind.SUBMODULE) == [("cutlass", 3)]


def test_a_setup_script_is_read_and_never_run() -> None:
    facts = python(
        "import torch\nfrom torch.utils.cpp_extension import CUDAExtension, CUDA_HOME\n"
        "raise SystemExit('not run')\n"
        "IS_ROCM = torch.version.hip is not None\n"
        "if CUDA_HOME is not None:\n"
        "    ext = CUDAExtension('x', ['a.cu'], libraries=['cublas', 'm'],\n"
        "        extra_compile_args={'nvcc': ['-gencode=arch=compute_80,code=sm_80']})\n"
        "setup(ext_modules=[ext])\n"
    )
    assert said(facts, Kind.BUILD_CUDA) == [("setup.py", 6)]
    assert said(facts, Kind.LINK) == [("cublas", 6)]
    assert said(facts, Kind.CUDA_ARCH) == [("sm_80", 7)]
    assert values(facts, Kind.CUDA_OPTIONAL) == {"CUDA_HOME"}
    assert values(facts, Kind.HIP) == {"IS_ROCM", "torch.version.hip"}
    assert said(facts, Kind.PACKAGE) == [("python", 8)]
    assert values(facts, Kind.IMPORT) == {"torch", "torch.utils.cpp_extension"}


@pytest.mark.parametrize(
    "text",
    [
        "from torch.utils.cpp_extension import load\nx = load \\\n(\n    sources = ['a.cu'])\n",
        "from torch.utils import cpp_extension as e\nx = e.load(s, extra_cuda_cflags=[])\n",
        "import torch\nx = torch.utils.cpp_extension.load_inline(cuda_sources=s)\n",
        "def f():\n    from torch.utils.cpp_extension import load as l; l(n, with_cuda=True)\n",
    ],
)
def test_an_extension_compiled_at_run_time_is_a_build_of_its_own(text: str) -> None:
    facts = python(text, "pkg/ext.py")
    assert said(facts, Kind.BUILD_CUDA) == [("torch-jit", 2)]
    assert said(facts, Kind.BUILD) == [("torch-jit", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "import json\nfrom torch.utils.cpp_extension import include_paths\njson.load(f)  # a.cu\n",
        "from mine import load\n# torch.utils.cpp_extension\nload(extra_cuda_cflags=[])\n",
        "'from torch.utils.cpp_extension import load; load(cuda_sources=1)'\n",
    ],
)
def test_other_things_that_load_build_nothing(text: str) -> None:
    facts = python(text, "pkg/ext.py")
    assert not values(facts, Kind.BUILD) | values(facts, Kind.BUILD_CUDA)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch\nif torch.version.hip:\n    pass\n", True),
        ("import torch\nHIP = getattr(torch.version, 'hip', None)\n", True),
        ("\nfrom torch.version import cuda, hip\n", True),
        ("import torch\nx = getattr(torch.version, 'cuda', None)\n", False),
        ("import torch\n# torch.version.hip\nx = 'torch.version.hip'\n", False),
    ],
)
def test_a_question_for_hip_is_seen_in_any_python_file(text: str, found: bool) -> None:
    expected = [("torch.version.hip", 2)] if found else []
    assert said(python(text, "pkg/model.py"), Kind.HIP) == expected


def test_imports_count_only_as_code() -> None:
    facts = python(
        '"""Example:\n\nimport cupy\n"""\nimport os, pynvml as n; import nvtx\n# import triton\n'
        "text = '''\nimport tensorrt\n'''\nfrom numba import cuda\nfrom .torch import x\n"
        "from numba import jit\nimport cupyx.scipy\nimport pytest\n",
        "pkg/a.py",
    )
    assert said(facts, Kind.IMPORT) == [
        ("cupyx", 13),
        ("numba.cuda", 10),
        ("nvtx", 5),
        ("pynvml", 5),
    ]
    assert said(facts, Kind.TEST_FRAMEWORK) == [("pytest", 14)]
    assert facts.error == ""


def test_variables_are_taken_from_the_environment_only() -> None:
    facts = python(
        "import os\nos.environ['NCCL_DEBUG'] = '1'\nos.getenv(\"CUDA_VISIBLE_DEVICES\")\n"
        "CUDNN_LOGINFO = 1\nx['NCCL_ALGO'] = 2\n",
        "a.py",
    )
    assert said(facts, Kind.ENVIRONMENT) == [("CUDA_VISIBLE_DEVICES", 3), ("NCCL_DEBUG", 2)]


def test_a_setup_script_that_is_not_python_3_is_said_to_be_unread() -> None:
    facts = python("from setuptools import setup\nprint 'x'\n")
    assert (facts.error, facts.signals) == ("not Python 3 (line 2)", ())
    assert python("print 'x'\nimport torch\n", "old.py").error == ""
    assert python("name = '{{ x }}'\n{% if a %}\n", "setup.py.in").error == ""


def test_a_notebook_tells_what_its_code_imports() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["import triton"]},
        {"cell_type": "code", "source": ["import cupy as cp\n", "!pip list\n"]},
    ]
    facts = read_ecosystem("a.ipynb", Language.NOTEBOOK, json.dumps({"cells": cells}, indent=1))
    assert values(facts, Kind.IMPORT) == {"cupy"}
    assert read_ecosystem("a.ipynb", Language.NOTEBOOK, "{").error != ""


def test_a_dockerfile_tells_image_version_packages_and_variables() -> None:
    facts = read_ecosystem(
        "Dockerfile",
        Language.DOCKER,
        "ARG CUDA_VERSION=12.4.1\nFROM nvidia/cuda:${CUDA_VERSION}-devel-ubuntu22.04 AS base\n"
        "RUN apt-get update && apt-get install -y libnccl-dev \\\n"
        "    # a comment\n    cuda-toolkit-12-4\n"
        'ENV NCCL_DEBUG=WARN TORCH_CUDA_ARCH_LIST="8.0 9.0"\n'
        "RUN pip install -r requirements.txt 'cupy-cuda12x>=13'\nFROM base\nCMD nsys profile ./a\n",
    )
    assert said(facts, Kind.IMAGE) == [("nvidia/cuda:12.4.1-devel-ubuntu22.04", 2)]
    assert ("12.4", 2) in said(facts, Kind.CUDA_VERSION)
    assert said(facts, Kind.SYSTEM_PACKAGE) == [("cuda-toolkit-12-4", 5), ("libnccl-dev", 3)]
    assert said(facts, Kind.ENVIRONMENT) == [("NCCL_DEBUG", 6)]
    assert values(facts, Kind.CUDA_ARCH) == {"sm_80", "sm_90"}
    assert said(facts, Kind.REQUIREMENT) == [("cupy-cuda12x", 7)]
    assert said(facts, Kind.TOOL) == [("nsys", 9)]
    assert values(facts, Kind.PACKAGE) == {"image"}


def test_an_image_without_cuda_is_no_package_to_port() -> None:
    facts = read_ecosystem("Dockerfile", Language.DOCKER, "FROM python:3.11\nRUN pip install x\n")
    assert values(facts, Kind.PACKAGE) == set()


def test_a_rocm_image_shows_hip_support() -> None:
    facts = read_ecosystem("Dockerfile.rocm", Language.DOCKER, "FROM rocm/dev-ubuntu-22.04:6.2\n")
    assert said(facts, Kind.HIP) == [("rocm/dev-ubuntu-22.04:6.2", 1)]


def test_requirements_give_names_and_the_version_that_they_tell() -> None:
    facts = read_ecosystem(
        "requirements.txt",
        Language.REQUIREMENTS,
        "--extra-index-url https://x.example/whl/cu124\ntorch==2.4.0+cu124  # nvidia-x\n"
        "CuPy_CUDA12x[all]>=13\n-r other.txt\nnumpy\npkg @ https://x.example/pkg-cu11.whl\n",
    )
    assert values(facts, Kind.REQUIREMENT) == {"torch", "cupy-cuda12x", "numpy", "pkg"}
    assert ("12.4", 1) in said(facts, Kind.CUDA_VERSION)
    assert ("12", 3) in said(facts, Kind.CUDA_VERSION)


def test_an_installed_package_says_what_it_requires_in_its_headers() -> None:
    text = (
        "Metadata-Version: 2.1\nName: x\nRequires-Dist: torch>=2.2.0\n"
        "Requires-Dist: cupy-cuda12x (>=12) ; extra == 'gpu'\n\nRequires-Dist: nvidia-ml-py\n"
    )
    facts = read_ecosystem("x-1.dist-info/METADATA", Language.REQUIREMENTS, text)
    assert said(facts, Kind.REQUIREMENT) == [("cupy-cuda12x", 4), ("torch", 3)]
    assert values(facts, Kind.CUDA_VERSION) == {"12"}


def test_wheels_that_a_resolver_pinned_came_along() -> None:
    facts = read_ecosystem(
        "requirements.txt",
        Language.REQUIREMENTS,
        "# autogenerated by pip-compile\nnvidia-cublas-cu12==12.1\n    # via torch\ntorch==2.4\n",
    )
    assert values(facts, Kind.REQUIREMENT) == {"torch"}


def test_conda_setup_cfg_and_pyproject_are_read() -> None:
    conda = read_ecosystem(
        "environment.yml",
        Language.REQUIREMENTS,
        "dependencies:\n  - conda-forge::cudatoolkit=11.8\n  - cudnn >=8\n  - pip:\n    - pynvml\n",
    )
    assert values(conda, Kind.REQUIREMENT) == {"cudatoolkit", "cudnn", "pynvml"}
    assert said(conda, Kind.CUDA_VERSION) == [("11.8", 2)]
    cfg = read_ecosystem(
        "setup.cfg",
        Language.REQUIREMENTS,
        "[metadata]\nname = x\ndescription =\n  torch\n[options]\ninstall_requires =\n  cupy>=12\n",
    )
    assert values(cfg, Kind.REQUIREMENT) == {"cupy"}
    toml = read_ecosystem(
        "pyproject.toml",
        Language.TOML,
        '[build-system]\nrequires = ["torch"]\nbuild-backend = "scikit_build_core.build"\n'
        '[project]\ndependencies = ["nvidia-ml-py>=12"]\n[project.optional-dependencies]\n'
        'gpu = ["cupy-cuda12x"]\n[tool.poetry.dependencies]\npython = "^3.10"\ntriton = "^3"\n',
    )
    assert values(toml, Kind.REQUIREMENT) == {"torch", "nvidia-ml-py", "cupy-cuda12x", "triton"}
    assert ("nvidia-ml-py", 5) in said(toml, Kind.REQUIREMENT)
    assert values(toml, Kind.BUILD) == {"pyproject", "scikit-build"}
    assert read_ecosystem("pyproject.toml", Language.TOML, "[a").error == "not valid TOML"


@pytest.mark.parametrize(
    ("path", "language", "system"),
    [
        (".github/workflows/ci.yml", Language.YAML, "github"),
        (".gitlab-ci.yml", Language.YAML, "gitlab"),
        ("ci/Jenkinsfile", Language.OTHER_BUILD, "jenkins"),
        ("azure-pipelines.yml", Language.YAML, "azure"),
        (".buildkite/pipeline.yaml", Language.YAML, "buildkite"),
        (".circleci/config.yml", Language.YAML, "circleci"),
    ],
)
def test_ci_systems_are_told_by_their_files(path: str, language: Language, system: str) -> None:
    assert values(read_ecosystem(path, language, "x: y\n"), Kind.CI) == {system}


@pytest.mark.parametrize(
    "line",
    [
        "    runs-on: [self-hosted, gpu]",
        "    runs-on: linux.g5.4xlarge.nvidia.gpu",
        "  tags: [a100]",
        "  resource_class: gpu.nvidia.small",
        "  queue: gpu_1_queue",
        "      - run: nvidia-smi",
        "    options: --gpus all",
    ],
)
def test_a_gpu_in_ci_is_seen(line: str) -> None:
    assert said(yaml(line), Kind.CI_GPU)


@pytest.mark.parametrize(
    "line",
    [
        "  runs-on: ubuntu-latest",
        "  # runs-on: gpu",
        "  name: build the GPU code",
        "  - run: make gpu",
    ],
)
def test_words_about_gpus_are_no_gpu(line: str) -> None:
    assert not said(yaml(line), Kind.CI_GPU)


def test_ci_tells_rocm_cuda_versions_and_images() -> None:
    facts = yaml(
        "jobs:\n  a:\n    container: nvidia/cuda:12.4.1-devel\n  b:\n    steps:\n"
        "      - uses: someone/cuda-toolkit@v1\n        with:\n          cuda: '12.5.0'\n"
        "  c:\n    container:\n      image: rocm/dev-ubuntu-22.04:6.2\n"
        "    env:\n      NCCL_DEBUG: 1\n"
    )
    assert said(facts, Kind.CUDA_VERSION) == [("12.4", 3), ("12.5", 8)]
    assert values(facts, Kind.CI_ROCM) == {"rocm/dev-ubuntu-22.04:6.2"}
    assert values(facts, Kind.ENVIRONMENT) == {"NCCL_DEBUG"}


@pytest.mark.parametrize("folder", ["ci", ".ci", ".github/scripts"])
def test_a_script_in_cis_folders_speaks_for_ci(folder: str) -> None:
    text = "nvidia-smi\n# -DUSE_HIP=ON\nif [ -n $GG_BUILD_ROCM ]; then\n  cmake -DGGML_HIP=ON\nfi\n"
    facts = read_ecosystem(f"{folder}/run.sh", Language.SHELL, text)
    assert said(facts, Kind.CI_ROCM) == [("GGML_HIP", 4), ("GG_BUILD_ROCM", 3)]
    assert said(facts, Kind.CI_GPU) == [("nvidia-smi", 1)]
    elsewhere = read_ecosystem("scripts/run.sh", Language.SHELL, text)
    assert not values(elsewhere, Kind.CI_ROCM) | values(elsewhere, Kind.CI_GPU)


@pytest.mark.parametrize("off", ["-DUSE_ROCM=OFF", "-DUSE_ROCM:BOOL=0", "export USE_ROCM=0"])
def test_ci_that_switches_rocm_off_does_not_test_it(off: str) -> None:
    assert not values(read_ecosystem("ci/a.sh", Language.SHELL, off), Kind.CI_ROCM)
    assert not values(yaml(f"run: {off}"), Kind.CI_ROCM)


def test_a_conda_recipe_with_cuda_is_a_package() -> None:
    text = "requirements:\n  host:\n    - cuda-version =12.4\n    - python\n"
    facts = yaml(text, "recipe/meta.yaml")
    assert said(facts, Kind.PACKAGE) == [("conda", 3)]
    assert said(facts, Kind.CUDA_VERSION) == [("12.4", 3)]


def test_a_batch_script_tells_modules_tools_and_gpus() -> None:
    facts = read_ecosystem(
        "job.sbatch",
        Language.SHELL,
        "#!/bin/bash\n#SBATCH --gres=gpu:4\nmodule load gcc cuda/12.2\nexport NCCL_DEBUG=INFO\n"
        "srun ncu -o x ./app  # nvprof\nls /opt/nvcc/x\n",
    )
    assert said(facts, Kind.JOB_GPU) == [("--gres=gpu:4", 2)]
    assert said(facts, Kind.CUDA_VERSION) == [("12.2", 3)]
    assert said(facts, Kind.ENVIRONMENT) == [("NCCL_DEBUG", 4)]
    assert said(facts, Kind.TOOL) == [("ncu", 5)]


def test_facts_travel_between_processes() -> None:
    facts = cmake("project(x LANGUAGES CUDA)")
    assert pickle.loads(pickle.dumps(facts)) == facts  # noqa: S301 - our own bytes


_PATHS = ("setup.py", "a.cmake", ".gitlab-ci.yml", "meta.yaml", "BUILD", "vcpkg.json")
_PIECES = (
    *("if(", "CUDA", ")", '"', "#[[", "]]", "\\", "\n", " ", "FROM ", "-lcublas", "import torch"),
    *("'''", "- a=1", "RUN pip install ", "sm_80", "nvidia/cuda:12.4", "{", "project(", "x: gpu"),
)


@pytest.mark.property
@given(
    language=st.sampled_from(list(Language)),
    path=st.sampled_from(_PATHS),
    text=st.text(max_size=60) | st.lists(st.sampled_from(_PIECES), max_size=25).map("".join),
)
def test_any_text_is_read_without_an_accident(language: Language, path: str, text: str) -> None:
    facts = read_ecosystem(path, language, text)
    lines = text.count("\n") + text.count("\r") + 1
    assert all(1 <= signal.line <= lines + 12 for signal in facts.signals)


@pytest.mark.parametrize(
    ("language", "piece"),
    [
        (Language.CMAKE, "#[[\n"),
        (Language.CMAKE, '"\\"'),
        (Language.CMAKE, "if(\n"),
        (Language.MAKE, ".SUFFIXES: "),
        (Language.OTHER_BUILD, "add_languages("),
        (Language.DOCKER, "RUN apt-get apt-get "),
        (Language.DOCKER, "FROM :::::::"),
        (Language.SHELL, "module load "),
        (Language.SHELL, "$$$((("),
        (Language.YAML, "image: a/b "),
        (Language.YAML, "- a = "),
        (Language.REQUIREMENTS, "a-"),
        (Language.PYTHON, '"""\\'),
        (Language.PYTHON, "import torch;"),
        (Language.MAKE, "nvcc \\\n"),
        (Language.MAKE, "-"),
        (Language.MAKE, "$(A)"),
        (Language.CMAKE, "if(A)\n"),
    ],
)
def test_hostile_text_takes_no_long_time(language: Language, piece: str) -> None:
    path = {Language.OTHER_BUILD: "meson.build"}.get(language, "x")
    start = time.process_time()
    read_ecosystem(path, language, piece * (300_000 // len(piece)))
    # No measure of speed: a quadratic pass over any of these takes minutes.
    assert time.process_time() - start < 30


_NESTED: dict[str, Callable[[int], str]] = {
    "elif": lambda deep: "if a:\n x\n" + "elif a:\n x\n" * deep,
    "choice": lambda deep: f"x = {'a if cuda else ' * deep}Extension\n",
    "sign": lambda deep: f"if {'-' * deep}1:\n Extension\n",
    "subscript": lambda deep: f"x{'[0]' * deep} = 1\n",
    "sum": lambda deep: f"x = 1{' + 1' * deep}\n",
    "attribute": lambda deep: f"x{'.f()' * deep}\n",
}


@pytest.mark.parametrize("deep", [150, 330, 700, 990, 3000, 100_000])
@pytest.mark.parametrize("form", _NESTED)
def test_a_setup_script_as_deep_as_it_likes_is_read_or_an_error(form: str, deep: int) -> None:
    start = time.process_time()
    python(f"CUDAExtension('x', ['x.cu'])\n{_NESTED[form](deep)}")
    assert time.process_time() - start < 10


def test_a_switch_far_down_an_elif_chain_is_told() -> None:
    facts = python(
        "if a:\n    x = 1\n" + "elif b:\n    x = 2\n" * 150 + "elif USE_CUDA and y:\n"
        "    ext = CUDAExtension('x', ['x.cu'])\nif CUDA_HOME:\n    pass\n"
    )
    assert said(facts, Kind.CUDA_OPTIONAL) == [("USE_CUDA", 303)]


def test_a_reader_that_recurses_too_deeply_costs_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(path: str, text: str) -> Iterator[Signal]:
        yield from endless(path, text)

    monkeypatch.setitem(reader._READERS, Language.CMAKE, endless)
    assert cmake("project(x)").error == "nested too deeply"


def test_a_second_else_of_cmake_adds_nothing_to_a_condition() -> None:
    start = time.process_time()
    facts = cmake("if(USE_CUDA)\nelse()\n" + "else()\n" * 40_000 + "set(A -DB)\nendif()\n")
    assert time.process_time() - start < 20
    assert not values(facts, Kind.DEFINITION)


def test_what_a_continued_command_says_stands_on_its_line() -> None:
    text = "RUN a && \\\n# why\n  pip install \\\n  cupy-cuda12x\nRUN b\n"
    facts = read_ecosystem("Dockerfile", Language.DOCKER, text)
    assert ("cupy-cuda12x", 4) in {(one.value, one.line) for one in facts.signals}


def test_images_in_strings_of_python_are_images_and_those_in_comments_are_none() -> None:
    facts = python(
        '# nvcr.io/nvidia/old:1\nDOCKERFILE = """\nFROM nvidia/cuda:12.4.1-devel\n"""\n'
        "base = f'nvcr.io/nvidia/pytorch:{version}-py3'\n",
        "build_image.py",
    )
    assert said(facts, Kind.IMAGE) == [
        ("nvcr.io/nvidia/pytorch:{version}-py3", 5),
        ("nvidia/cuda:12.4.1-devel", 3),
    ]


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ('pip wheel -w /w "git+https://github.com/deepseek-ai/DeepEP.git@9af0e0d"', {"deepep"}),
        ("git clone --depth 1 https://github.com/NVIDIA/nccl-tests.git", {"nccl-tests"}),
        ("wget -q https://github.com/NVIDIA/gdrcopy/archive/refs/tags/v2.5.tar.gz", {"gdrcopy"}),
        ("wget https://github.com/Dao-AILab/flash-attention/releases/download/a.whl", set()),
        ("echo see https://github.com/NVIDIA/cutlass", set()),
    ],
)
def test_a_repository_that_a_command_takes_is_told(command: str, names: set[str]) -> None:
    assert values(read_ecosystem("a.sh", Language.SHELL, f"{command}\n"), Kind.SUBMODULE) == names


def test_packages_of_sparse_solvers_are_cudas() -> None:
    facts = read_ecosystem("a.sh", Language.SHELL, "apt-get install -y cudss libcudss0 cudssh\n")
    assert values(facts, Kind.SYSTEM_PACKAGE) == {"cudss", "libcudss0"}


def test_a_tool_that_cmake_keeps_in_a_variable_is_named() -> None:
    text = 'find_program(ASK nvidia-smi.exe)\nset(ASK "nvidia-smi")\nset(NAME smi)\n'
    assert said(cmake(text), Kind.TOOL) == [("nvidia-smi", 2)]
