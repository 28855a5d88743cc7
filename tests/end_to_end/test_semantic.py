"""What the compiler adds to a scan, and what a scan says where it cannot be asked."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from migrate.discover import toolkit
from migrate.parse.clang import native
from tests.end_to_end.command import Call, make_tree, result_of, run
from tests.end_to_end.compiler import MIXED, TOOLKIT, Place, answers, asked, places

ASKED = ("--cuda-path", TOOLKIT, "--no-cache")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tree(tmp_path_factory.mktemp("mixed"), MIXED)


@pytest.fixture(scope="module")
def text(mixed: Path) -> str:
    return asked(mixed)


@pytest.fixture(scope="module")
def result(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document


@pytest.fixture
def no_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without CUDA's headers."""
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(toolkit, "_namespaces", list)
    monkeypatch.setattr(toolkit, "_USUAL", ())


# What the compiler knows


def test_every_use_is_where_the_compiler_sees_it_and_says_so(result: dict[str, Any]) -> None:
    assert sorted(places(result)) == [
        Place("src/main.cu", 10, "<<<>>>", "active", "clang"),
        Place("src/main.cu", 11, "cudaMalloc", "active", "clang"),
        Place("src/main.cu", 16, "cudaDeviceSynchronize", "active", "tree-sitter"),
        Place("src/other.cu", 9, "cudaMemset", "ported", "clang"),
        Place("src/other.cu", 10, "cudaMemset", "ported", "clang"),
        Place("src/shared.h", 2, "cudaFree", "active", "clang"),
        Place("third_party/tiny/tiny.h", 2, "cudaFree", "vendored", "tree-sitter"),
    ]


def test_without_the_compiler_a_pasted_name_is_missed_and_an_own_one_counts(mixed: Path) -> None:
    found = {(one.path, one.line): one.symbol for one in places(result_of(mixed, all_uses=True))}
    assert ("src/main.cu", 11) not in found
    assert ("src/other.cu", 9) not in found
    assert found["src/main.cu", 12] == "cudaResetAll"


def test_agreement_of_tree_and_compiler_is_counted_by_kind(result: dict[str, Any]) -> None:
    assert result["run"]["semantic"]["agreement"] == {
        "agreed": 3, "own": 1, "found": 2, "other_name": 0, "arguments": 0, "unseen": 1,
    }  # fmt: skip


def test_run_says_what_was_parsed_and_with_what(result: dict[str, Any]) -> None:
    said = result["run"]["semantic"]
    assert (said["mode"], said["idle"], said["toolkit"]) == ("auto", None, "CUDA 12.9")
    assert (said["units"], said["parsed"], said["with_errors"]) == (2, 2, 0)
    assert (said["uncovered_files"], said["beyond_budget"], said["failed"]) == (0, 0, [])
    assert result["tool"]["libclang"].startswith("22.")
    assert result["run"]["complete"]


def test_use_in_a_header_of_two_units_counts_once(result: dict[str, Any]) -> None:
    (row,) = [one for one in result["files"] if one["path"] == "src/shared.h"]
    assert row["uses"] == 1


def test_vendored_code_is_asked_of_where_it_counts(mixed: Path) -> None:
    found = places(answers(mixed, include_vendored=True))
    assert Place("third_party/tiny/tiny.h", 2, "cudaFree", "active", "clang") in set(found)


def test_function_of_a_use_that_only_the_compiler_sees_is_known(result: dict[str, Any]) -> None:
    functions = {
        finding["function"] for finding in result["findings"] if finding["symbol"] == "cudaMalloc"
    }
    assert functions == {"start"}


def test_method_that_a_group_has_from_a_base_is_the_group_s(tmp_path: Path) -> None:
    code = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void vote(int* p) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  *p = tile.any(*p);
}
"""
    make_tree(tmp_path, {"a.cu": code})
    use = Place("a.cu", 5, "cooperative_groups::thread_block_tile::any", "active", "clang")
    assert use in set(places(answers(tmp_path)))


def test_missing_headers_leave_the_rest_of_a_unit_understood(tmp_path: Path) -> None:
    lines = ["#include <no_such_standard_header>", '#include "gone/away.h"', "#include <vector>"]
    code = "std::vector<int> v;\nvoid f(void* p) { Gone g; cudaFree(p); }\n"
    make_tree(tmp_path, {"a.cu": "\n".join(lines) + "\n" + code})
    result = answers(tmp_path)
    said = result["run"]["semantic"]
    assert (said["parsed"], said["with_errors"], said["failed"]) == (1, 1, [])
    assert {"gone/away.h", "no_such_standard_header"} <= said["missing_headers"].keys()
    assert Place("a.cu", 5, "cudaFree", "active", "clang") in set(places(result))


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_toolkit_that_a_package_manager_made_of_links_is_used(tmp_path: Path) -> None:
    """Nix, Spack and others put one together so; the tree itself may hold no such links."""
    for header in TOOLKIT.rglob("*"):
        if header.is_file():
            link = tmp_path / "toolkit" / header.relative_to(TOOLKIT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(header)
    code = "#include <crt/../cuda_fp16.h>\nvoid f(void* p) { cudaFree(p); }\n"
    root = make_tree(tmp_path / "app", {"a.cu": code})
    said = answers(root, cuda_path=tmp_path / "toolkit")["run"]["semantic"]
    assert (said["parsed"], said["with_errors"], said["failed"]) == (1, 0, [])


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode elsewhere")
def test_paths_that_are_no_utf_8_cost_their_units_alone_and_are_no_bug_of_ours(
    tmp_path: Path,
) -> None:
    use = b"#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"
    files = {
        b"caf\xe9/named.cu": use,
        b"caf\xe8.h": b"inline void g(void* p) { cudaFree(p); }\n",
        b"includes.cu": b'#include "caf\xe8.h"\n' + use,
        b"lacks.cu": b'#include "caf\xea.h"\n' + use,
        b"latin.cu": use + b'const char* text = "caf\xe9";  // caf\xe9\n',
    }
    make_tree(tmp_path, {os.fsdecode(name): code for name, code in files.items()})
    result = answers(tmp_path)
    said = result["run"]["semantic"]
    assert {one["path"] for one in said["failed"]} >= {"caf\\udce9/named.cu", "includes.cu"}
    assert {one["reason"] for one in said["failed"]} == {
        "a path of it is not UTF-8, and libclang's module takes no other"
    }
    seen = {one.path for one in places(result) if one.seen_by == "clang"}
    assert {"lacks.cu", "latin.cu"} <= seen


def test_code_for_hip_alone_is_no_unit(tmp_path: Path) -> None:
    make_tree(
        tmp_path,
        {
            "a.cu": "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n",
            "b.hip": "#include <hip/hip_runtime.h>\nvoid g(void* p) { hipFree(p); }\n",
            "c.cpp": "#include <hip/hip_runtime.h>\nvoid h(void* p) { hipFree(p); }\n",
        },
    )
    result = answers(tmp_path)
    assert result["run"]["semantic"]["units"] == 1
    assert [one.path for one in places(result)] == ["a.cu"]


def test_graph_has_the_kernel_that_is_launched_through_a_pointer(mixed: Path, call: Call) -> None:
    def launches(*more: str | Path) -> set[tuple[str, str]]:
        done = call("graph", mixed, "--format", "json", *more)
        assert done.code == 0
        return {
            (edge["source"], edge["target"])
            for edge in json.loads(done.out)["edges"]
            if edge["kind"] == "launch"
        }

    launch = ("function:start@src/main.cu", "function:fill@src/main.cu")
    assert launch not in launches("--semantic", "off")
    assert launch in launches("--semantic", "auto", *ASKED)


# What a scan says where the compiler cannot be asked


@pytest.mark.usefixtures("no_toolkit")
def test_without_headers_the_result_is_that_without_the_compiler_and_says_why(mixed: Path) -> None:
    auto = result_of(mixed, all_uses=True, semantic="auto")
    off = result_of(mixed, all_uses=True)
    why = auto["run"]["semantic"].pop("idle")
    assert why.startswith("no CUDA headers found")
    assert "pip install 'hipassess[cuda-headers]'" in why
    for one in (auto, off):
        one["run"]["settings"].pop("semantic")
        one["run"]["semantic"].pop("mode")
        one["run"]["semantic"].pop("idle", None)
    assert auto == off
    assert auto["tool"]["libclang"] is None


def test_libclang_that_cannot_be_used_ends_no_scan(
    mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load() -> None:
        raise native.LibclangError("libclang-ng is not installed")

    monkeypatch.setattr(native, "load_libclang", load)
    result = answers(mixed)
    assert result["run"]["semantic"]["idle"] == "libclang-ng is not installed"
    assert result["run"]["complete"]


@pytest.mark.usefixtures("no_toolkit")
def test_summary_says_that_the_compiler_was_not_asked(mixed: Path, call: Call) -> None:
    done = call("scan", mixed, "--semantic", "auto")
    assert (done.code, done.err) == (0, "")
    (line,) = [one for one in done.out.splitlines() if one.startswith("Compiler")]
    assert "not asked: no CUDA headers found" in line


@pytest.mark.usefixtures("no_toolkit")
def test_required_compiler_without_headers_is_exit_4(mixed: Path, call: Call) -> None:
    done = call("scan", mixed, "--semantic", "require")
    assert (done.code, done.traceback) == (4, False)
    assert "--semantic require: no CUDA headers found" in done.err
    assert "hipassess doctor" in done.err


def test_required_compiler_that_reads_all_is_exit_0(mixed: Path, call: Call) -> None:
    done = call("scan", mixed, "--semantic", "require", *ASKED)
    assert (done.code, done.err) == (0, "")
    assert "2 of 2 units parsed" in done.out


def test_compiler_that_is_off_is_said_to_be(mixed: Path, call: Call) -> None:
    done = call("scan", mixed, "--semantic", "off", *ASKED)
    assert "not asked (--semantic off)" in done.out


def test_gate_asks_the_compiler_only_where_it_is_told_to(mixed: Path, call: Call) -> None:
    """Without it, a function of the tree's own counts as a name of CUDA that nobody knows."""
    words = ("gate", mixed, "--max-cuda-only", "0%")
    assert call(*words, *ASKED).code == 1
    assert call(*words, *ASKED, "--semantic", "auto").code == 0


# Options and settings


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--semantic", "sometimes"), "takes one of auto, off, require"),
        (("--semantic", "auto", "--cuda-path", "."), "holds no CUDA headers"),
        (("--semantic", "auto", "--cuda-path", "nowhere"), "holds no CUDA headers"),
        (("--semantic", "auto", "--compile-commands", "nowhere.json"), "cannot be read"),
        (("--semantic", "auto", "--semantic-budget", "-1"), "--semantic-budget"),
    ],
)
def test_wrong_option_is_exit_2(mixed: Path, call: Call, words: tuple[str, ...], told: str) -> None:
    done = call("scan", mixed, *words)
    assert (done.code, done.traceback) == (2, False)
    assert told in done.err


def test_budget_counts_units_and_what_is_beyond_it_is_said(mixed: Path, call: Call) -> None:
    result = answers(mixed, semantic_budget=1)
    said = result["run"]["semantic"]
    assert (said["units"], said["parsed"], said["beyond_budget"]) == (1, 1, 1)
    assert said["uncovered_files"] == 1
    done = call("scan", mixed, "--semantic", "auto", "--semantic-budget", "1", *ASKED)
    assert "1 of 1 unit parsed, 1 more beyond the budget" in done.out


def test_budget_of_no_units_asks_nothing(mixed: Path) -> None:
    said = answers(mixed, semantic_budget=0)["run"]["semantic"]
    assert (said["units"], said["idle"]) == (0, "the budget is 0 units")


def test_settings_file_says_whether_and_how_much_the_compiler_is_asked(tmp_path: Path) -> None:
    root = make_tree(tmp_path / "app", MIXED)
    settings = root / "hipassess.toml"
    settings.write_text('semantic = "auto"\nsemantic-budget = 1\n', "utf-8")
    said = answers(root, semantic=None)["run"]
    assert (said["semantic"]["mode"], said["semantic"]["units"]) == ("auto", 1)
    assert (said["settings"]["semantic"], said["settings"]["semantic_budget"]) == ("auto", 1)
    settings.write_text('semantic = "off"\n', "utf-8")
    assert answers(root, semantic=None)["run"]["semantic"]["mode"] == "off"


# The same bytes


def test_number_of_workers_and_the_tree_s_place_change_no_byte(
    text: str, mixed: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "ein anderer Ort" / "копия"
    shutil.copytree(mixed, copy)
    assert asked(copy, jobs=3) == text


def test_cache_changes_no_byte_cold_or_warm(
    text: str, mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(cache))
    cold = asked(mixed, no_cache=False)
    kept = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    assert kept
    warm = asked(mixed, no_cache=False)
    assert cold == warm == text


@pytest.mark.end_to_end
def test_clock_locale_and_another_process_change_no_byte(
    text: str, mixed: Path, tmp_path: Path
) -> None:
    settings = {
        "LC_ALL": "C",
        "TZ": "Pacific/Kiritimati",
        "PYTHONHASHSEED": "4711",
        "SOURCE_DATE_EPOCH": "1",
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    words = ("scan", mixed, "-f", "json", "--all-uses", "--semantic", "auto")
    done = run(*words, "--cuda-path", TOOLKIT, cwd=tmp_path, env=settings)
    assert (done.code, done.err) == (0, "")
    assert done.out == text


def test_result_names_no_place_of_the_machine(text: str, mixed: Path) -> None:
    for word in (str(TOOLKIT), str(mixed), str(Path.home())):
        assert word not in text


def test_what_is_written_through_a_namespace_that_hip_has_too_is_ported(tmp_path: Path) -> None:
    tree = {
        "compat.h": """#pragma once
#ifdef USE_ROCM
#include <hipcub/hipcub.hpp>
namespace kit_cub = hipcub;
#else
#include <cub/cub.cuh>
namespace kit_cub = cub;
#endif
""",
        "sum.cu": """#include <cuda_runtime.h>
#include "compat.h"
namespace mine = cub;
__device__ int sum(int value) {
  typedef kit_cub::BlockReduce<int, 64> Reduce;
  typedef mine::WarpReduce<int> Warp;
  return value;
}
""",
    }
    found = {one.symbol: one.state for one in places(answers(make_tree(tmp_path, tree)))}
    assert found["cub::BlockReduce"] == "ported"
    assert found["cub::WarpReduce"] == "active"
