"""Ported, HIP and third-party code is told apart from what is still to be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.command import make_tree, result_of

MALLOC = "void f(float** p) { cudaMalloc(p, 4); }\n"
HIP = '#include "hip/hip_runtime.h"\nvoid f(float** p) { hipMalloc(p, 4); }\n'


def states(result: dict[str, Any]) -> dict[str, int]:
    return {state: n for state, n in result["summary"]["states"].items() if n}


def api(result: dict[str, Any]) -> dict[tuple[str, str], int]:
    return {(row["name"], row["state"]): row["uses"] for row in result["apis"]}


@pytest.mark.parametrize(
    "condition",
    [
        "#ifdef USE_ROCM",
        "#if defined(__HIP_PLATFORM_AMD__)",
        "#if defined(__HIPCC__) || defined(__HIP__)",
    ],
)
def test_the_cuda_branch_beside_a_hip_branch_is_ported(tmp_path: Path, condition: str) -> None:
    code = (
        f"void f(float** p) {{\n{condition}\n  hipMalloc(p, 4);\n#else\n  cudaMalloc(p, 4);\n"
        "#endif\n  cudaFree(*p);\n}\n"
    )
    result = result_of(make_tree(tmp_path, {"a.cu": code}))
    assert states(result) == {"active": 1, "ported": 1}
    assert api(result) == {("cudaFree", "active"): 1, ("cudaMalloc", "ported"): 1}


def test_the_projects_own_hip_macro_is_a_setting(tmp_path: Path) -> None:
    code = "#ifdef ON_AMD\n  #define X hipFree\n#else\n  #define X cudaFree\n#endif\n"
    root = make_tree(tmp_path, {"a.h": code})
    assert states(result_of(root, hip_macros=["ON_AMD"])) == {"ported": 1}


def test_a_cuda_branch_without_a_hip_one_stays_active(tmp_path: Path) -> None:
    code = "void f(float** p) {\n#ifndef USE_ROCM\n  cudaMalloc(p, 4);\n#endif\n}\n"
    assert states(result_of(make_tree(tmp_path, {"a.cu": code}))) == {"active": 1}


def test_disabled_code_comments_and_strings_hold_no_uses(tmp_path: Path) -> None:
    code = (
        "#if 0\nvoid f() { cudaMalloc(0, 1); }\n#endif\n// cudaFree\n/* cudaFree */\n"
        'const char* s = "cudaFree";\nconst char* r = R"x(cudaFree)x";\n'
    )
    assert states(result_of(make_tree(tmp_path, {"a.cu": code}))) == {}


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cuda/spmv.cu", "hip/spmv.hip.cpp"),
        ("src/ops.cu", "src/ops_hip.hip"),
        ("src/k.cu", "hip/src/k.hip"),
    ],
)
def test_a_file_with_a_hip_twin_is_ported_and_counts_once(
    tmp_path: Path, cuda: str, hip: str
) -> None:
    result = result_of(make_tree(tmp_path, {cuda: MALLOC, hip: HIP, "src/own.cu": MALLOC}))
    assert states(result) == {"active": 1, "ported": 1}
    assert result["summary"]["uses"] == 1
    assert result["summary"]["verdicts"]["renamed"] == 1


def test_an_empty_placeholder_is_no_twin(tmp_path: Path) -> None:
    root = make_tree(tmp_path, {"cuda/spmv.cu": MALLOC, "hip/spmv.hip.cpp": "// to do\n"})
    assert states(result_of(root)) == {"active": 1}


@pytest.mark.parametrize("folder", ["third_party/lib", "vendor/lib", "extern/lib", "src/3rdparty"])
def test_third_party_code_is_counted_apart(tmp_path: Path, folder: str) -> None:
    gone = "__global__ void k(int* p) { __stcs(p, 1); }\n"
    root = make_tree(tmp_path, {"src/a.cu": MALLOC, f"{folder}/b.cu": gone})
    apart = result_of(root)
    assert states(apart) == {"active": 1, "vendored": 1}
    assert apart["summary"]["cuda_only_share"]["by_use"] == 0.0
    assert [row["vendored"] for row in apart["files"]] == [
        row["path"] != "src/a.cu" for row in apart["files"]
    ]
    (finding,) = apart["findings"]
    assert (finding["state"], finding["effort"]["hours"]) == ("vendored", [0.0, 0.0, 0.0])
    together = result_of(root, include_vendored=True)
    assert states(together) == {"active": 2}
    assert together["summary"]["cuda_only_share"]["by_use"] == 0.5
    more, less = (row["summary"]["effort"]["total"]["p50"] for row in (together, apart))
    assert more > less


def test_a_third_party_librarys_own_libraries_are_components_apart(tmp_path: Path) -> None:
    root = make_tree(
        tmp_path,
        {
            "a.cu": MALLOC,
            "third_party/x/x.h": "#include <nccl.h>\n",
            "third_party/x/CMakeLists.txt": "target_link_libraries(x PRIVATE CUDA::cufft)\n",
        },
    )

    def components(**options: object) -> dict[str, str]:
        return {row["name"]: row["state"] for row in result_of(root, **options)["components"]}

    assert components() == {
        "CUDA runtime API": "active",
        "NCCL": "vendored",
        "cuFFT": "vendored",
    }
    assert set(components(include_vendored=True).values()) == {"active"}


def test_the_scanned_folder_itself_is_never_third_party(tmp_path: Path) -> None:
    make_tree(tmp_path, {"third_party/lib/a.cu": MALLOC})
    assert states(result_of(tmp_path / "third_party" / "lib")) == {"active": 1}
    assert states(result_of(tmp_path / "third_party")) == {"active": 1}


def test_a_name_that_the_tree_defines_itself_is_its_own(tmp_path: Path) -> None:
    root = make_tree(
        tmp_path,
        {
            "check.h": "inline void cudaCheck(int code) { (void)code; }\n",
            "a.cu": '#include "check.h"\nvoid f() { cudaCheck(cudaFree(0)); cudaChekk(1); }\n',
        },
    )
    assert api(result_of(root)) == {("cudaFree", "active"): 1, ("cudaChekk", "active"): 1}


def test_a_name_that_only_looks_like_cudas_is_unknown_and_counts_as_cuda_only(
    tmp_path: Path,
) -> None:
    result = result_of(make_tree(tmp_path, {"a.cu": "void f(float** p) { cudaMaloc(p, 4); }\n"}))
    (finding,) = result["findings"]
    assert (finding["verdict"], finding["confidence"]) == ("unknown", "possible")
    assert "cudaMalloc" in finding["fix"]
    assert result["summary"]["cuda_only_share"]["by_use"] == 1.0


def test_vendored_and_ported_code_costs_nothing(tmp_path: Path) -> None:
    root = make_tree(tmp_path, {"third_party/a.cu": MALLOC, "cuda/b.cu": MALLOC, "hip/b.hip": HIP})
    result = result_of(root)
    assert states(result) == {"ported": 1, "vendored": 1}
    assert set(result["summary"]["effort"]["total"].values()) == {0.0}
    assert result["summary"]["cuda_only_share"]["by_use"] == 0.0


def test_pointing_at_a_cuda_version_changes_the_form_that_is_judged(tmp_path: Path) -> None:
    code = "void f(cudaMemLocation l) { cudaMemAdvise(0, 1, cudaMemAdviseSetReadMostly, l); }\n"
    root = make_tree(tmp_path, {"a.cu": code})

    def verdict(**options: object) -> str:
        rows = {row["name"]: row["verdict"] for row in result_of(root, **options)["apis"]}
        return str(rows["cudaMemAdvise"])

    assert verdict(cuda="12.8", rocm="7.0") == "renamed"
    assert verdict(cuda="13.0", rocm="7.0") == "later"
    assert verdict(cuda="13.0", rocm="7.1") == "changed"


def test_lines_that_use_cuda_are_the_projects_own(tmp_path: Path) -> None:
    root = make_tree(tmp_path, {"src/gtest/gtest.h": MALLOC * 50, "src/a.cu": MALLOC})
    result = result_of(root)
    assert states(result) == {"active": 1, "vendored": 50}
    assert (result["summary"]["cuda_lines"], result["summary"]["lines"]) == (1, 51)
