"""Third-party copies and tests are told from the project's own code."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.discover.vendored import is_test
from migrate.model.source import Inventory
from tests.discover.trees import KERNEL, grow, reasons, scan

_CUTLASS = {
    "include/cutlass/version.h": "#pragma once\n",
    "include/cutlass/gemm/device.h": KERNEL,
    "include/cute/layout.hpp": KERNEL,
    "tools/util/include/cutlass/util/reference.h": KERNEL,
    "examples/00/a.cu": KERNEL,
}


def _vendored(inventory: Inventory) -> list[str]:
    return [source.path for source in inventory.sources if source.vendored]


def _under(prefix: str, files: dict[str, str]) -> dict[str, str]:
    return {f"{prefix}{name}": content for name, content in files.items()}


@pytest.mark.parametrize(
    "folder",
    [
        "third_party",
        "thirdparty",
        "3rdparty",
        "Vendor",
        "extern",
        "external",
        "deps",
        "dependencies",
    ],
)
def test_a_folder_named_for_others_code_is_vendored(tmp_path: Path, folder: str) -> None:
    grow(
        tmp_path,
        {f"src/{folder}/lib/a.cu": KERNEL, "src/external.cu": KERNEL, "contrib/b.cu": KERNEL},
    )
    assert _vendored(scan(tmp_path)) == [f"src/{folder}/lib/a.cu"]


def test_what_the_user_names_is_never_vendored(tmp_path: Path) -> None:
    grow(tmp_path, {"app/a.cu": KERNEL, "third_party/lib/b.cu": KERNEL})
    assert _vendored(scan(tmp_path / "third_party" / "lib")) == []
    assert _vendored(scan(tmp_path / "app", tmp_path / "third_party" / "lib")) == []


def test_a_copy_of_cutlass_among_own_headers_is_vendored_and_they_are_not(tmp_path: Path) -> None:
    copied = {name: text for name, text in _CUTLASS.items() if name.startswith("include")}
    grow(tmp_path, {**copied, "include/mine/a.h": KERNEL, "src/b.cu": KERNEL})
    assert _vendored(scan(tmp_path)) == sorted(copied)


def test_a_whole_copied_repository_is_vendored_though_it_is_most_of_the_tree(
    tmp_path: Path,
) -> None:
    grow(tmp_path, {**_under("lib/cutlass-3.5/", _CUTLASS), "src/b.cu": KERNEL})
    assert _vendored(scan(tmp_path)) == sorted(_under("lib/cutlass-3.5/", _CUTLASS))


@pytest.mark.parametrize("prefix", ["", "cutlass_library/source/"])
def test_cutlass_itself_and_its_wheel_are_projects(tmp_path: Path, prefix: str) -> None:
    grow(tmp_path, {**_under(prefix, _CUTLASS), "cutlass_library/generator.py": "x = 1\n"})
    assert _vendored(scan(tmp_path)) == []


def test_a_library_that_holds_its_siblings_is_the_project(tmp_path: Path) -> None:
    grow(
        tmp_path,
        {
            "CMakeLists.txt": "# CCCL\nproject(CCCL LANGUAGES CUDA)\n",
            "cub/cub/version.cuh": KERNEL * 9,
            "thrust/thrust/version.h": KERNEL * 9,
            "cudax/a.cuh": KERNEL,
        },
    )
    assert _vendored(scan(tmp_path)) == []


def test_the_helpers_of_the_cuda_samples_are_vendored(tmp_path: Path) -> None:
    grow(tmp_path, {"common/inc/helper_cuda.h": KERNEL, "src/helper_mine.h": KERNEL})
    assert _vendored(scan(tmp_path)) == ["common/inc/helper_cuda.h"]


def test_a_declared_submodule_is_vendored_and_one_not_checked_out_is_said(tmp_path: Path) -> None:
    modules = '[submodule "x"]\n\tpath = libs/x\n[submodule "y"]\n\tpath = libs/y\n'
    grow(
        tmp_path,
        {
            ".git/HEAD": "x",
            ".gitmodules": modules,
            "libs/x/.git": "gitdir: ../../.git/modules/x\n",
            "libs/x/a.cu": KERNEL,
            "libs/z/b.cu": KERNEL,
        },
    )
    (tmp_path / "libs/y").mkdir()
    inventory = scan(tmp_path)
    assert _vendored(inventory) == ["libs/x/a.cu"]
    assert reasons(inventory) == {"libs/y": "submodule that is not checked out"}


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("tests/a.cu", True),
        ("src/test/a.cu", True),
        ("src/gemm_test.cu", True),
        ("src/test_gemm.py", True),
        ("src/GemmTest.cpp", True),
        ("src/latest.cu", False),
        ("src/testing_tools_of_old.cu", False),
        ("contest/attest.cu", False),
        ("src/test.cu", True),
    ],
)
def test_tests_are_told_by_folder_and_name(path: str, test: bool) -> None:
    assert is_test(path) is test


def test_a_folder_of_headers_for_each_gpu_vendor_is_the_projects_own(tmp_path: Path) -> None:
    grow(tmp_path, {"src/vendors/hip.h": "#define cudaFree hipFree\n", "src/a.cu": KERNEL})
    assert _vendored(scan(tmp_path)) == []


@pytest.mark.parametrize(
    "name",
    ["gtest.h", "gtest-all.cpp", "gmock-gtest-all.cc", "catch.hpp", "doctest.h", "stb_image.h"],
)
def test_a_library_copied_as_one_file_is_vendored_wherever_it_lies(
    tmp_path: Path, name: str
) -> None:
    grow(tmp_path, {f"src/gtest/{name}": KERNEL, "src/a.cu": KERNEL, "src/gtest/main.cc": KERNEL})
    assert _vendored(scan(tmp_path)) == [f"src/gtest/{name}"]


def test_a_file_whose_name_others_bear_is_a_copy_only_where_it_says_so(tmp_path: Path) -> None:
    copied = "// JSON for Modern C++\n" + KERNEL
    grow(tmp_path, {"a/json.hpp": copied, "include/mine/json.hpp": KERNEL, "a.cu": KERNEL})
    assert _vendored(scan(tmp_path)) == ["a/json.hpp"]


def test_a_library_of_one_file_is_a_project_in_its_own_tree(tmp_path: Path) -> None:
    files = {"doctest/doctest.h": KERNEL, "examples/a.cpp": KERNEL}
    grow(tmp_path / "checkout", {"CMakeLists.txt": 'project("doctest" CXX)\n', **files})
    grow(tmp_path / "googletest-1.14", {"include/gtest/gtest.h": KERNEL})
    assert _vendored(scan(tmp_path / "checkout")) == []
    assert _vendored(scan(tmp_path / "googletest-1.14")) == []
    assert _vendored(scan(tmp_path / "checkout" / "doctest" / "doctest.h")) == []
