"""Public porting problems of builds and scans: what the product says of each today.

The answers stand in ``fixtures/cases``; its README says what is still to come.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.command import FIXTURES, Call, make_tree, result_of

pytestmark = pytest.mark.end_to_end

FREE = "void release(void* memory) {\n  cudaFree(memory);\n}\n"


def case(name: str) -> dict[str, Any]:
    """The result for a case that is a folder."""
    (folder,) = (FIXTURES / "cases").glob(f"{name}_*")
    return result_of(folder)


def libraries(result: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The tree's libraries with verdict and use, the runtime left out."""
    return {
        row["name"]: (row["verdict"], row["use"])
        for row in result["components"]
        if row["kind"] != "runtime"
    }


def rules(result: dict[str, Any]) -> list[tuple[str, str, int, str]]:
    """The findings of rules with their first places, in order of place."""
    return [
        (row["rule"], row["path"], row["line"], row["symbol"])
        for row in sorted(result["findings"], key=lambda row: (row["path"], row["line"]))
    ]


def places(result: dict[str, Any]) -> list[tuple[str, int]]:
    """The rules that found something around the code, with the lines."""
    return sorted(
        (finding["rule"], site["line"])
        for finding in result["findings"]
        for site in finding["sites"]
        if finding["tier"] == "ecosystem" and finding["rule"].startswith("HA-E")
    )


def said(result: dict[str, Any], rule: str) -> str:
    """What a rule's finding says, and what it advises."""
    return next(
        f"{one['message']} {one['fix']}" for one in result["findings"] if one["rule"] == rule
    )


def test_e02_each_flag_of_nvcc_in_a_setup_script_is_told_with_what_becomes_of_it() -> None:
    result = case("E02")
    assert result["project"]["build"] == ["setup.py"]
    assert result["project"]["cuda_archs"] == ["sm_80"]
    assert places(result) == [
        *(("HA-E021", 17), ("HA-E030", 10), ("HA-E031", 11), ("HA-E033", 12), ("HA-E035", 9))
    ]
    assert "--offload-arch=" in said(result, "HA-E030")
    assert "-ffast-math" in said(result, "HA-E031")
    assert "__launch_bounds__" in said(result, "HA-E033")
    assert "--expt-relaxed-constexpr is left out" in said(result, "HA-E035")


def test_e04_cmake_targets_and_architectures_are_read() -> None:
    result = case("E04")
    assert result["project"]["build"] == ["cmake"]
    assert result["project"]["cuda_archs"] == ["sm_80"]
    assert result["project"]["cuda_optional"] is False
    assert libraries(result)["cuBLAS"] == ("renamed", "linked")
    assert places(result) == [("HA-E001", 5), ("HA-E004", 8), ("HA-E006", 6)]
    assert "LANGUAGE HIP" in said(result, "HA-E001")
    assert "CUDA::cublas -> roc::hipblas (package hipblas)" in said(result, "HA-E004")
    assert "CMAKE_HIP_ARCHITECTURES" in said(result, "HA-E006")
    assert {one["severity"] for one in result["findings"] if one["rule"] < "HA-F"} == {"minor"}


def test_e09_a_wheel_of_nvidias_names_its_library_and_torch_alone_is_no_finding() -> None:
    result = case("E09")
    assert libraries(result) == {
        "cuBLAS": ("renamed", "named"),
        "CuPy": ("changed", "called"),
        "PyTorch": ("same", "named"),
    }
    assert result["run"]["target"]["cuda"].startswith("12.")
    assert rules(result) == [
        ("HA-E052", "requirements.txt", 4, "cupy-cuda12x"),
        ("HA-E051", "requirements.txt", 5, "nvidia-cublas-cu12"),
    ]


def test_e13_a_library_opened_by_its_file_name_is_a_component_and_work() -> None:
    result = case("E13")
    assert libraries(result) == {"cuBLAS": ("renamed", "linked")}
    assert rules(result) == [("HA-E055", "load.py", 5, "cublas")]
    assert result["run"]["complete"]


def test_d08_each_place_says_under_which_condition_it_is_compiled(tmp_path: Path) -> None:
    (path,) = (FIXTURES / "cases").glob("D08_*")
    found = result_of(make_tree(tmp_path, {"a.cu": path.read_bytes()}), all_uses=True)["findings"]
    conditions = {row["symbol"]: row["sites"][0]["condition"] for row in found}
    assert conditions["cudaBindTexture"] == "defined(WITH_TEXTURE)"
    assert conditions["cudaMemcpy"] == "!defined(WITH_TEXTURE)"


def test_d11_a_header_of_the_projects_own_with_a_cuda_name_is_nothing() -> None:
    result = case("D11")
    assert result["summary"]["uses"] == 0
    assert result["findings"] == result["components"] == []


def test_d13_an_image_of_ptx_is_work_where_it_is_loaded_and_where_it_lies() -> None:
    found = {(row["rule"], row["path"], row["line"]) for row in case("D13")["findings"]}
    assert found == {("HA-K062", "scale.ptx", 1), ("HA-K063", "load.cpp", 8)}


def test_f01_bytes_that_are_no_utf_8_move_no_line_and_are_noted(tmp_path: Path, call: Call) -> None:
    make_tree(tmp_path, {"a.cu": b"// caf\xe9\n" + FREE.encode()})
    (row,) = result_of(tmp_path, all_uses=True)["findings"]
    assert (row["line"], row["column"], row["symbol"]) == (3, 3, "cudaFree")
    assert result_of(tmp_path)["files"][0]["utf8"] is False
    assert "1 file not in UTF-8, read byte by byte" in call("scan", ".").out


def test_f02_headers_that_include_each_other_count_once(tmp_path: Path) -> None:
    make_tree(
        tmp_path,
        {
            "main.cu": '#include "a.h"\n',
            "a.h": f'#include "b.h"\n{FREE}',
            "b.h": f'#include "a.h"\n{FREE}',
        },
    )
    result = result_of(tmp_path)
    assert {row["path"]: row["uses"] for row in result["files"]} == {
        "a.h": 1,
        "b.h": 1,
        "main.cu": 0,
    }


def test_f03_links_are_listed_and_names_with_spaces_read(tmp_path: Path) -> None:
    make_tree(tmp_path, {"src/my file.cu": FREE})
    (tmp_path / "src" / "loop").symlink_to("..")
    (tmp_path / "src" / "gone.cu").symlink_to("/nonexistent")
    result = result_of(tmp_path)
    assert [row["path"] for row in result["files"]] == ["src/my file.cu"]
    assert {row["path"]: row["reason"] for row in result["run"]["skipped"]} == {
        "src/gone.cu": "symbolic link that leads nowhere",
        "src/loop": "symbolic link",
    }


def test_f06_what_scans_nothing_is_no_clean_result(tmp_path: Path, call: Call) -> None:
    assert call("scan", "no/such/dir").code == 2
    make_tree(tmp_path, {"empty/README.md": "none\n"})
    assert call("scan", "empty").code == 3


def test_f07_files_that_do_not_parse_are_marked_and_the_total_says_what_rests_on_them(
    tmp_path: Path, call: Call
) -> None:
    make_tree(tmp_path, {"good.cu": FREE, "torn.cu": FREE + "void open( { if ]\n"})
    marked = {row["path"]: row["error_nodes"] for row in result_of(tmp_path)["files"]}
    assert marked["good.cu"] == 0
    assert marked["torn.cu"] > 0
    assert "1 use in 1 file that the parser could not read whole" in call("scan", ".").out
