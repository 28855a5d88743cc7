"""A CMake file has the state of the branches that take it in."""

from __future__ import annotations

import pytest

from migrate.facts.cmake_tree import with_branches_around
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import State
from migrate.parse.ecosystem.reader import read_ecosystem

CUDA = "enable_language(CUDA)\n"
BOTH = "if(USE_CUDA)\n  {}\nelseif(USE_HIP)\n  {}\nendif()\n"


def states(texts: dict[str, str], path: str) -> set[State]:
    files = [read_ecosystem(name, Language.CMAKE, text) for name, text in texts.items()]
    (file,) = (one for one in with_branches_around(files) if one.path == path)
    return {one.state for one in file.signals if one.kind is Kind.CUDA_LANGUAGE}


@pytest.mark.parametrize(
    ("taken", "path"),
    [
        ("add_subdirectory(src/cuda)", "src/cuda/CMakeLists.txt"),
        ("add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/gpu)", "gpu/CMakeLists.txt"),
        ("include(cmake/cuda.cmake)", "cmake/cuda.cmake"),
        ("include(${PROJECT_SOURCE_DIR}/cmake/cuda.cmake)", "cmake/cuda.cmake"),
        ("include(SetupCuda)", "cmake/SetupCuda.cmake"),
    ],
)
def test_a_file_that_the_branch_for_cuda_takes_in_is_ported_beside_one_for_hip(
    taken: str, path: str
) -> None:
    assert states({"CMakeLists.txt": BOTH.format(taken, ""), path: CUDA}, path) == {State.PORTED}
    alone = f"if(USE_CUDA)\n{taken}\nendif()\n"
    assert states({"CMakeLists.txt": alone, path: CUDA}, path) == {State.ACTIVE}
    assert states({"CMakeLists.txt": BOTH.format("", taken), path: CUDA}, path) == {State.HIP}


def test_what_a_file_takes_in_has_the_state_around_it() -> None:
    texts = {
        "CMakeLists.txt": BOTH.format("add_subdirectory(gpu)", ""),
        "gpu/CMakeLists.txt": "include(flags.cmake)\n",
        "gpu/flags.cmake": CUDA,
    }
    assert states(texts, "gpu/flags.cmake") == {State.PORTED}


@pytest.mark.parametrize(
    "elsewhere",
    [
        "include(cuda.cmake)\n",
        BOTH.format("", "include(cuda.cmake)"),
    ],
)
def test_a_file_that_is_taken_in_elsewhere_too_keeps_its_states(elsewhere: str) -> None:
    top = BOTH.format("include(cuda.cmake)", "") + elsewhere
    assert states({"CMakeLists.txt": top, "cuda.cmake": CUDA}, "cuda.cmake") == {State.ACTIVE}


@pytest.mark.parametrize(
    "taken", ["include(${WHICH})", "include(/cuda.cmake)", "include(other.cmake)", "include()"]
)
def test_a_file_that_no_place_plainly_takes_in_keeps_its_states(taken: str) -> None:
    texts = {"CMakeLists.txt": BOTH.format(taken, ""), "cuda.cmake": CUDA}
    assert states(texts, "cuda.cmake") == {State.ACTIVE}


def test_files_that_take_each_other_in_end() -> None:
    texts = {
        "a.cmake": "include(b.cmake)\ninclude(a.cmake)\n" + CUDA,
        "b.cmake": "include(a.cmake)\n" + CUDA,
    }
    assert states(texts, "a.cmake") == states(texts, "b.cmake") == {State.ACTIVE}
