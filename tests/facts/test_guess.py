"""Arguments guessed from the tree: include folders, CMake's macros and standards, CUDA switches."""

from __future__ import annotations

import pytest

from migrate.facts.guess import MOST_FOLDERS, Guess
from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Language
from migrate.model.unit import CompileArguments
from migrate.parse.ecosystem.reader import read_ecosystem
from tests.parse.reading import read

Tree = dict[str, str]


def guess(
    tree: Tree, *third_party: str, path: str = "src/a.cu", language: str = "cuda"
) -> CompileArguments:
    """The guessed arguments for one file of a tree of C++ and CMake files."""
    files: list[FileFacts] = []
    ecosystem: list[EcosystemFacts] = []
    for name, text in tree.items():
        if name.endswith("CMakeLists.txt"):
            ecosystem.append(read_ecosystem(name, Language.CMAKE, text))
        else:
            files.append(read(text, path=name, language=Language.CUDA))
    return Guess(files, ecosystem, frozenset(third_party), "/tree").arguments(path, language)


def folders(*includes: str, others: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """The folders for quoted and for all includes of ``src/a.cu``, relative to the root."""
    lines = "".join(f"#include {one}\n" for one in includes)
    found = guess({"src/a.cu": lines} | dict.fromkeys(others, ""))
    quote, include = (
        ["." if one == "/tree" else one.removeprefix("/tree/") for one in some]
        for some in (found.quote, found.include)
    )
    return quote, include


@pytest.mark.parametrize(
    ("include", "others", "expected"),
    [
        ("<lib/x.h>", ("include/lib/x.h",), "include"),
        ("<x.h>", ("src/x.h",), "src"),
        ("<x.h>", ("x.h",), "."),
        ("<src/x.h>", ("src/x.h",), "."),
        ("<./x.h>", ("include/x.h",), "include"),
        ("<../lib/x.h>", ("core/lib/x.h",), "core/lib"),
        ("<x.h>", ("a/deep/x.h", "b/x.h"), "b"),
        ("<x.h>", ("b/x.h", "a/x.h"), "a"),
        ("<x.h>", ("a/x.h", "src/deep/down/x.h"), "src/deep/down"),
    ],
)
def test_folder_of_an_include_is_that_of_the_nearest_file_with_this_end_of_its_path(
    include: str, others: tuple[str, ...], expected: str
) -> None:
    assert folders(include, others=others) == ([], [expected])


@pytest.mark.parametrize(
    ("include", "others"),
    [
        ('"x.h"', ("src/x.h", "include/x.h")),
        ('"../lib/x.h"', ("lib/x.h",)),
        ("<x.h>", ("include/prefix_x.h",)),
        ("<math.h>", ("include/math.h",)),
        ('"string.h"', ("include/string.h",)),
        ("<memory>", ("include/memory",)),
        ("<cuda_runtime.h>", ("stubs/cuda_runtime.h",)),
        ("<torch/extension.h>", ()),
        ('"../../../x.h"', ()),
    ],
)
def test_includes_that_need_no_folder_of_the_tree(include: str, others: tuple[str, ...]) -> None:
    assert folders(include, others=others) == ([], [])


def test_folder_that_only_quoted_includes_need_is_not_searched_for_others() -> None:
    others = ("utils/log.h", "utils/math.h", "include/lib.h")
    assert folders('"log.h"', "<lib.h>", others=others) == (["utils"], ["include"])


def test_folder_that_both_forms_need_is_given_once() -> None:
    assert folders('"a.h"', "<b.h>", others=("inc/a.h", "inc/b.h")) == ([], ["inc"])


def test_folders_that_most_files_need_come_first_then_by_path() -> None:
    tree = {
        "src/a.cu": "#include <z.h>\n#include <b.h>\n#include <c.h>\n",
        "inc1/b.h": "",
        "inc2/c.h": "#include <z.h>\n",
        "inc3/z.h": "",
    }
    assert guess(tree).include == ("/tree/inc3", "/tree/inc1", "/tree/inc2")


def test_folders_that_reached_headers_need_are_searched_third_party_ones_too() -> None:
    tree = {
        "src/a.cu": "#include <b.h>\n",
        "include/b.h": "#include <vec/v.h>\n",
        "ext/vec/v.h": "",
        "other/o.h": "",
        "other/o.cu": "#include <o.h>\n",
    }
    assert guess(tree, "ext/vec/v.h").include == ("/tree/ext", "/tree/include")


def test_a_third_partys_copy_of_the_toolkits_own_libraries_stays_out() -> None:
    tree = {"src/a.cu": "#include <cub/cub.cuh>\n", "ext/cub/cub.cuh": ""}
    assert guess(tree, "ext/cub/cub.cuh").include == ()
    assert guess(tree).include == ("/tree/ext",)


def test_includes_of_hip_branches_and_files_of_hip_give_no_folder() -> None:
    tree = {
        "src/a.cu": "#ifdef __HIP__\n#include <x.h>\n#endif\n#include <y.h>\n",
        "inc/x.h": "",
        "hip/y.h": "#include <hip/hip_runtime.h>\n" * 3,
        "cuda/y.h": "",
    }
    assert guess(tree).include == ("/tree/cuda",)


def test_no_more_folders_than_a_parse_can_bear() -> None:
    others = tuple(f"f{number:03}/h{number}.h" for number in range(MOST_FOLDERS + 9))
    lines = [f"<{path.partition('/')[2]}>" for path in others]
    assert folders(*lines, others=others) == ([], [f"f{n:03}" for n in range(MOST_FOLDERS)])


def test_headers_that_include_each_other_share_their_folders() -> None:
    tree = {
        "src/a.cu": '#include "p.h"\n',
        "src/p.h": '#include "q.h"\n',
        "src/q.h": '#include "p.h"\n#include <far/r.h>\n',
        "inc/far/r.h": "",
    }
    assert guess(tree).include == ("/tree/inc",)
    assert guess(tree, path="src/p.h").include == ("/tree/inc",)


def test_cmake_speaks_for_its_folder_and_those_below_the_nearest_word_counting() -> None:
    tree = {
        "src/a.cu": "",
        "CMakeLists.txt": "add_definitions(-DTOP -DBOTH=1)\nset(CMAKE_CUDA_STANDARD 20)\n",
        "src/CMakeLists.txt": "add_compile_definitions(BOTH=2 NEAR)\n",
        "src/deep/CMakeLists.txt": "add_definitions(-DDEEP)\n",
        "other/CMakeLists.txt": "add_definitions(-DOTHER)\nset(CMAKE_CUDA_STANDARD 23)\n",
    }
    found = guess(tree)
    assert (found.macros, found.standard) == (("-DBOTH=2", "-DTOP", "-DNEAR"), "c++20")


def test_a_macro_with_two_values_in_one_file_is_not_given() -> None:
    text = (
        "target_compile_definitions(a PRIVATE X=1 Y)\ntarget_compile_definitions(b PRIVATE X=2 Y)"
    )
    assert guess({"src/a.cu": "", "CMakeLists.txt": text}).macros == ("-DY",)


@pytest.mark.parametrize(
    ("text", "language", "standard"),
    [
        ("", "cuda", "c++17"),
        ("", "c++", "c++17"),
        ("set(CMAKE_CXX_STANDARD 20)", "c", ""),
        ("set(CMAKE_CXX_STANDARD 20)", "cuda", "c++20"),
        ("set(CMAKE_CXX_STANDARD 11)", "cuda", "c++17"),
        ("set(CMAKE_CXX_STANDARD 23)\nset(CMAKE_CUDA_STANDARD 20)", "cuda", "c++20"),
        ("set(CMAKE_CXX_STANDARD 23)\nset(CMAKE_CUDA_STANDARD 20)", "c++", "c++23"),
    ],
)
def test_standard_is_cudas_own_before_that_of_cpp_and_never_below_17(
    text: str, language: str, standard: str
) -> None:
    assert guess({"src/a.cu": "", "CMakeLists.txt": text}, language=language).standard == standard


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        ("#ifdef USE_CUDA\n#endif\n", ("-DUSE_CUDA=1",)),
        ("#ifndef HAVE_CUDA\n#endif\n", ("-DHAVE_CUDA=1",)),
        ("#if defined(LIB_WITH_CUDA) && X\n#endif\n", ("-DLIB_WITH_CUDA=1",)),
        ("#if HAVE_CUDA == 1\n#endif\n", ("-DHAVE_CUDA=1",)),
        ("#if CUDA_VERSION > 1\n#endif\n", ()),
        ("#ifdef USE_CUDA_GRAPHS\n#endif\n", ()),
        ("#ifdef USE_ROCM\n#endif\n", ()),
        ("#ifdef __CUDACC__\n#define USE_CUDA\n#endif\n#ifdef USE_CUDA\n#endif\n", ()),
    ],
)
def test_cuda_switches_that_conditions_ask_for_are_on(text: str, macros: tuple[str, ...]) -> None:
    assert guess({"src/a.cu": text}).macros == macros


def test_switches_of_reached_headers_are_on_and_cmakes_word_on_them_counts() -> None:
    tree = {"src/a.cu": '#include "a.h"\n', "src/a.h": "#ifdef USE_CUDA\n#endif\n"}
    assert guess(tree).macros == ("-DUSE_CUDA=1",)
    tree["CMakeLists.txt"] = "add_definitions(-DUSE_CUDA=2)"
    assert guess(tree).macros == ("-DUSE_CUDA=2",)


def test_arguments_borrowed_for_a_header_keep_the_commands_and_add_missing_folders() -> None:
    files = [
        read("#include <x.h>\n", path="lib/a.cuh", language=Language.CUDA),
        read("", path="inc/x.h", language=Language.CPP),
    ]
    near = CompileArguments(include=("/tree/lib",), macros=("-DX",), language="c++")
    found = Guess(files, (), frozenset(), "/tree").borrowed("lib/a.cuh", near)
    assert found == CompileArguments(
        include=("/tree/lib", "/tree/inc"), macros=("-DX",), language="cuda"
    )


def test_words_of_other_signals_are_no_macros() -> None:
    text = "find_package(CUDAToolkit 12.2 REQUIRED)\ntarget_link_libraries(x CUDA::cublas)\n"
    facts = read_ecosystem("CMakeLists.txt", Language.CMAKE, text)
    assert Kind.DEFINITION not in {signal.kind for signal in facts.signals}
