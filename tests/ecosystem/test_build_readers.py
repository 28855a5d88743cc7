"""What build files say of CUDA, in which branch, and what they must not be taken to say."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.project_files import with_signals
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Language
from migrate.model.verdict import State
from migrate.parse.ecosystem.cmake_text import commands_of, pieces_of
from migrate.parse.ecosystem.reader import read_ecosystem


def cmake(text: str) -> EcosystemFacts:
    return read_ecosystem("CMakeLists.txt", Language.CMAKE, text)


def make(text: str) -> EcosystemFacts:
    return read_ecosystem("Makefile", Language.MAKE, text)


def python(text: str) -> EcosystemFacts:
    return read_ecosystem("setup.py", Language.PYTHON, f"from setuptools import setup\n{text}")


def states(facts: EcosystemFacts, kind: Kind) -> list[State]:
    return [one.state for one in facts.signals if one.kind is kind]


def options(facts: EcosystemFacts) -> list[str]:
    return [one.value for one in facts.signals if one.kind is Kind.OPTION]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("if(USE_HIP)\nelse()\n{}\nendif()", State.PORTED),
        ("if(USE_CUDA)\n{}\nelseif(USE_HIP)\nendif()", State.PORTED),
        ("if(USE_CUDA)\n{}\nendif()\nif(USE_HIP)\nendif()", State.PORTED),
        ("if(NOT USE_ROCM)\n{}\nendif()", State.PORTED),
        ('if(LANG STREQUAL "CUDA")\n{}\nelseif(LANG STREQUAL "HIP")\nendif()', State.PORTED),
        ('if(NOT GPU STREQUAL "HIP")\n{}\nendif()', State.PORTED),
        ("if(USE_HIP)\n{}\nendif()", State.HIP),
        ("if(NOT USE_HIP)\nelse()\n{}\nendif()", State.HIP),
        ("if(USE_CUDA)\n{}\nendif()", State.ACTIVE),
        ("if(USE_CUDA)\n{}\nendif()\nif(OTHER_HIP)\nendif()", State.ACTIVE),
        ("if(USE_CUDA OR USE_HIP)\n{}\nendif()", State.ACTIVE),
        ("if(USE_HIP)\nendif()\n{}", State.ACTIVE),
        ("if(WIN32)\nelse()\n{}\nendif()", State.ACTIVE),
    ],
)
def test_a_branch_beside_one_for_hip_is_ported(text: str, state: State) -> None:
    facts = cmake(text.format("enable_language(CUDA)"))
    assert states(facts, Kind.CUDA_LANGUAGE) == [state]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("ifdef USE_HIP\nelse\n{}\nendif", State.PORTED),
        ("ifeq ($(USE_HIP),1)\n{}\nendif", State.HIP),
        ("ifeq ($(USE_HIP),0)\n{}\nelse\nendif", State.PORTED),
        ("ifeq ($(GPU),cuda)\n{}\nelse ifeq ($(GPU),hip)\nendif", State.PORTED),
        ("ifeq ($(DEBUG),1)\n{}\nendif", State.ACTIVE),
    ],
)
def test_the_branches_of_makefiles_are_those_of_cmake(text: str, state: State) -> None:
    facts = make(text.format("NVCCFLAGS = --use_fast_math"))
    assert states(facts, Kind.OPTION) == [state]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("if IS_ROCM:\n    pass\nelse:\n    flags = ['-lineinfo']", State.PORTED),
        ("if torch.version.hip is not None:\n    flags = ['-lineinfo']", State.HIP),
        ("if not SKIP_CUDA_BUILD and not IS_ROCM:\n    flags = ['-lineinfo']", State.PORTED),
        ("if gpu != 'rocm':\n    flags = ['-lineinfo']", State.PORTED),
        ("if not os.path.exists('/opt/rocm'):\n    flags = ['-lineinfo']", State.ACTIVE),
        ("flags = ['-lineinfo']", State.ACTIVE),
    ],
)
def test_a_setup_script_asks_for_hip_by_its_own_words(text: str, state: State) -> None:
    assert states(python(text), Kind.OPTION) == [state]


@pytest.mark.parametrize(
    ("path", "twin", "state"),
    [
        ("cmake/SetupCUDAToolkit.cmake", "cmake/SetupHIPToolkit.cmake", State.PORTED),
        ("lib/cuda/CMakeLists.txt", "lib/hip/CMakeLists.txt", State.PORTED),
        ("cmake/cuda.cmake", "cmake/rocm.cmake", State.PORTED),
        ("CMakeLists.txt", "hip/CMakeLists.txt", State.ACTIVE),
        ("cmake/cuda.cmake", "cmake/mpi.cmake", State.ACTIVE),
    ],
)
def test_a_build_file_with_a_twin_for_hip_is_ported(path: str, twin: str, state: State) -> None:
    said = [
        read_ecosystem(path, Language.CMAKE, "enable_language(CUDA)"),
        read_ecosystem(twin, Language.CMAKE, "enable_language(HIP)"),
    ]
    found = {file.path: file.signals for file in with_signals((), said)}
    assert {one.state for one in found[path] if one.kind is Kind.CUDA_LANGUAGE} == {state}


def test_generator_expressions_say_for_which_language_an_option_is() -> None:
    text = (
        "target_compile_options(x PRIVATE -g $<$<COMPILE_LANGUAGE:CUDA>:-G;-lineinfo>\n"
        '  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:SHELL:-Xcompiler -rdynamic>"\n'
        "  $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-fno-cuda> $<$<CONFIG:Debug>:-O0>)"
    )
    (command,) = commands_of(text)
    found = {(piece.text, piece.line): piece.language for piece in pieces_of(command)}
    assert found["-G;-lineinfo", 1] == "CUDA"
    assert found["SHELL:-Xcompiler -rdynamic", 2] == "CUDA"
    assert found["-fno-cuda", 3] == "other"
    assert found["-O0", 3] == ""
    assert set(options(cmake(text))) == {"-G", "-lineinfo", "-Xcompiler -rdynamic"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("add_compile_options(-G)", []),
        ("set(CMAKE_CUDA_FLAGS -G)", ["-G"]),
        ('string(APPEND CUDA_NVCC_FLAGS " -arch=${ARCH}")', ["-arch=${ARCH}"]),
        ("set(CMAKE_OSX_FLAGS -arch arm64)", []),
        ("add_custom_command(OUTPUT a COMMAND ${CUDA_NVCC_EXECUTABLE} -ptx a.cu)", ["-ptx"]),
        ("add_custom_command(OUTPUT a COMMAND tool -ptx a)", []),
        ('message("--use_fast_math")', []),
        ("set(FLAGS [[--use_fast_math]])", ["--use_fast_math"]),
    ],
)
def test_options_that_others_have_too_count_only_where_they_are_for_nvcc(
    text: str, found: list[str]
) -> None:
    assert options(cmake(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "if arg == '-ccbin':\n    pass",
        "arg.startswith('-ccbin=')",
        "def f():\n    'Adds -gencode flags.'",
    ],
)
def test_a_setup_script_that_only_speaks_of_an_option_gives_none(text: str) -> None:
    assert options(python(text)) == []


def test_an_option_that_is_continued_over_lines_has_its_own_line() -> None:
    facts = make("NVCCFLAGS = -O3 \\\n  --use_fast_math \\\n  -arch=sm_80\n")
    found = [(one.value, one.line) for one in facts.signals if one.kind is Kind.OPTION]
    assert found == [("--use_fast_math", 2), ("-arch=sm_80", 3)]


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("m4/ax_cuda.m4", "AC_PATH_PROG([NVCC], [nvcc])", "AC_PATH_PROG([NVCC"),
        ("BUILD", 'deps = if_cuda(["x"])', "if_cuda"),
        ("meson.build", "add_languages('cuda')", "add_languages('cuda'"),
        ("x.vcxproj", "<CudaCompile Include='a.cu'/>", "<CudaCompile"),
    ],
)
def test_other_build_systems_name_what_builds_cuda(path: str, text: str, rule: str) -> None:
    facts = read_ecosystem(path, Language.OTHER_BUILD, text)
    assert [one.value for one in facts.signals if one.kind is Kind.CUDA_RULE] == [rule]


def test_a_configure_script_that_looks_for_rocm_too_is_ported() -> None:
    text = "AC_ARG_WITH([cuda], [CUDA])\nAC_ARG_WITH([rocm], [ROCm])\n"
    facts = read_ecosystem("configure.ac", Language.OTHER_BUILD, text)
    assert states(facts, Kind.CUDA_RULE) == [State.PORTED]


@pytest.mark.parametrize("path", ["m4/libtool.m4", "aclocal.m4"])
def test_macros_of_m4_that_know_no_cuda_build_nothing(path: str) -> None:
    facts = read_ecosystem(path, Language.OTHER_BUILD, "AC_DEFUN([LT_INIT], [])\n")
    assert facts.signals == ()


@given(st.text(alphabet='$<>:()"#[]= \n-GCUDAHIP', max_size=200))
def test_no_text_breaks_the_readers(text: str) -> None:
    cmake(text)
    make(text)


@pytest.mark.parametrize("piece", ["$<", "if(A)\n", "$<$<COMPILE_LANGUAGE:CUDA>:", "-Xcompiler "])
def test_a_long_file_costs_as_much_as_its_length(piece: str) -> None:
    times = []
    for count in (2_000, 16_000):
        text = f"target_compile_options(x {piece * count})"
        start = time.perf_counter()
        cmake(text)
        times.append(time.perf_counter() - start)
    assert times[1] < 30 * max(times[0], 0.01)


@pytest.mark.parametrize(
    ("path", "cuda", "hip"),
    [
        (
            "BUILD",
            'cc_library(copts = if_cuda(["-gencode=arch=compute_80,code=sm_80"]))\n',
            'cc_library(copts = if_rocm(["-O3"]))\n',
        ),
        (
            "configure.ac",
            'AC_ARG_WITH([cuda])\nNVCCFLAGS="-gencode=arch=compute_80,code=sm_80"\n',
            "AC_ARG_WITH([hip])\n",
        ),
    ],
)
def test_options_beside_what_builds_hip_are_ported_with_the_rules(
    path: str, cuda: str, hip: str
) -> None:
    def states(text: str) -> set[State]:
        facts = read_ecosystem(path, Language.OTHER_BUILD, text)
        return {one.state for one in facts.signals if one.kind is Kind.OPTION}

    assert states(cuda) == {State.ACTIVE}
    assert states(cuda + hip) == {State.PORTED}


def test_comments_in_projects_of_visual_studio_end_with_the_file_where_they_are_open() -> None:
    text = "<Project>\n" + "<!-- -arch=sm_80\n" * 20_000
    facts = read_ecosystem("a.vcxproj", Language.OTHER_BUILD, text)
    assert not [one for one in facts.signals if one.kind is Kind.OPTION]
