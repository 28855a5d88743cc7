"""The JSON of real scans: it holds to its schema, and its fingerprints outlive edits elsewhere."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.end_to_end.command import APPS, FIXTURES, make_tree, result_of

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m\u202e\n'\".cu"
KERNEL = """__device__ void helper(int* p) {
    __stcs(p, 1);
    __stcs(p, 1);
    __stcs(p, 2);
}
"""


@cache
def validator() -> jsonschema.Draft202012Validator:
    path = files("migrate.report") / "schema" / "result-v1.schema.json"
    return jsonschema.Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def fingerprints(result: dict[str, Any]) -> list[str]:
    return sorted(
        site["fingerprint"] for finding in result["findings"] for site in finding["sites"]
    )


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("all_uses", [False, True])
def test_a_fixtures_result_holds_to_the_schema(app: str, all_uses: bool) -> None:
    validator().validate(result_of(FIXTURES / app, all_uses=all_uses))


def test_an_empty_result_holds_to_the_schema(tmp_path: Path) -> None:
    validator().validate(result_of(make_tree(tmp_path, {"a.cpp": "int a;\n"})))


def test_a_result_of_hostile_names_holds_to_the_schema(tmp_path: Path) -> None:
    code = "void cudaEvil_\u00e9() { cudaMalloc(0, 1); cudaNoSuchName(1); }\n"
    root = make_tree(tmp_path, {"plain.cu": code})
    names = [HOSTILE.encode(), b"n\xf6t_utf8.cu", b"back\\slash.cu"]
    for name in names:
        try:
            (Path(str(root)) / name.decode("utf-8", "surrogateescape")).write_text(code)
        except OSError:
            pytest.skip("this file system takes no such names")
    result = result_of(root, all_uses=True)
    validator().validate(result)
    paths = [row["path"] for row in result["files"]]
    assert len(paths) == len(set(paths)) == 1 + len(names)
    assert all(path.isprintable() for path in paths)
    assert result["summary"]["uses"] == 2 * len(paths)


def test_an_incomplete_result_holds_to_the_schema(tmp_path: Path) -> None:
    root = make_tree(
        tmp_path, {"a.cu": KERNEL, "b.cu": "// x\n" * 99, "hipassess.toml": "max-file-bytes = 300"}
    )
    result = result_of(root)
    validator().validate(result)
    assert result["run"]["complete"] is False


def test_blank_lines_a_new_name_and_other_code_keep_all_fingerprints(tmp_path: Path) -> None:
    before = result_of(make_tree(tmp_path / "a", {"src/x.cu": KERNEL}))
    moved = "\n// new\n\n" + KERNEL.replace("    __stcs(p, 2)", "\n\t__stcs( p, 2 )")
    after = result_of(
        make_tree(tmp_path / "b", {"lib/y.cu": moved, "lib/a.cu": "void f() { cudaFree(0); }\n"})
    )
    assert fingerprints(before) == fingerprints(after)
    assert [row["id"] for row in before["findings"]] == [row["id"] for row in after["findings"]]


def test_equal_lines_have_their_own_fingerprints(tmp_path: Path) -> None:
    result = result_of(make_tree(tmp_path, {"a.cu": KERNEL, "b.cu": KERNEL}), all_uses=True)
    assert len(fingerprints(result)) == len(set(fingerprints(result))) == 6


def test_one_more_equal_line_adds_one_fingerprint_and_keeps_the_others(tmp_path: Path) -> None:
    before = fingerprints(result_of(make_tree(tmp_path / "a", {"a.cu": KERNEL})))
    more = KERNEL.replace("{\n", "{\n    __stcs(p, 1);\n", 1)
    after = fingerprints(result_of(make_tree(tmp_path / "b", {"a.cu": more})))
    assert set(before) < set(after)
    assert len(after) == len(before) + 1


def test_a_header_that_two_files_include_counts_once(tmp_path: Path) -> None:
    root = make_tree(
        tmp_path,
        {
            "shared.cuh": "#pragma once\n" + KERNEL,
            "a.cu": '#include "shared.cuh"\nvoid a() { cudaMalloc(0, 1); }\n',
            "b.cu": '#include "shared.cuh"\nvoid b() { cudaMalloc(0, 1); }\n',
        },
    )
    result = result_of(root)
    assert result["summary"]["uses"] == 5
    assert {row["name"]: row["uses"] for row in result["apis"]} == {"__stcs": 3, "cudaMalloc": 2}
    finding = result["findings"][0]
    assert [(site["path"], site["line"]) for site in finding["sites"]] == [
        ("shared.cuh", line) for line in (3, 4, 5)
    ]


def test_a_finding_is_one_name_in_one_function(tmp_path: Path) -> None:
    code = KERNEL + KERNEL.replace("helper", "other") + "int x = __ldcv(0);\n"
    result = result_of(make_tree(tmp_path, {"a.cu": code}))
    assert [
        (row["symbol"], row["function"], len(row["sites"]))
        for row in result["findings"]
        if row["symbol"] == "__stcs"
    ] == [("__stcs", "helper", 3), ("__stcs", "other", 3)]


def test_a_column_counts_characters_not_bytes(tmp_path: Path) -> None:
    root = make_tree(tmp_path, {"a.cu": 'void f() { auto s = "äöü"; cudaFree(0); }\n'})
    finding = result_of(root, all_uses=True)["findings"][0]
    assert (finding["line"], finding["column"]) == (1, 28)


def test_with_several_gpus_the_worst_verdict_stands_and_says_where_it_holds(tmp_path: Path) -> None:
    code = "__global__ void k(cudaTextureObject_t t, float* o) { *o = tex2D<float>(t, 0, 0); }\n"
    root = make_tree(tmp_path, {"a.cu": code + KERNEL})
    result = result_of(root, archs=["gfx942", "gfx1100"])
    archs = {row["symbol"]: (row["verdict"], row["archs"]) for row in result["findings"]}
    assert archs["tex2D"] == ("missing", ["gfx942"])
    assert archs["__stcs"] == ("missing", ["gfx942", "gfx1100"])
    alone = result_of(root, archs=["gfx1100"])
    assert "tex2D" not in {row["symbol"] for row in alone["findings"]}
