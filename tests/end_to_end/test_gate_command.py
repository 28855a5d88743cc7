"""The gate as CI runs it: on a tree, on a saved result, by share and by weeks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.end_to_end.command import Call, make_tree, run

ONE_IN_FIVE = """void f(float** p) {
    cudaMalloc(p, 4);
    cudaFree(*p);
    cudaDeviceSynchronize();
    cudaGetLastError();
}
__global__ void k(int* p) { __stcs(p, 1); }
"""


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """Five active uses, one of them CUDA-only: a share of 20 %."""
    return make_tree(tmp_path / "app", {"a.cu": ONE_IN_FIVE})


@pytest.mark.end_to_end
def test_a_failed_gate_is_exit_1_and_says_what_failed(app: Path, tmp_path: Path) -> None:
    done = run("gate", app, "--max-cuda-only", "19%", "--ignore", "HA-", cwd=tmp_path)
    assert (done.code, done.err) == (1, "")
    target, tables, *told = done.out.splitlines()
    assert target == "Target: ROCm 7.2 on gfx942"
    assert tables.startswith("Tables: 20")
    assert told == [
        "FAIL: CUDA-only share by use 20.0 %, limit 19 % (5 active uses)",
        "  __stcs: missing, 1 use, first at a.cu:7",
        "Gate: failed",
    ]


def test_too_many_weeks_name_the_names_with_the_most_hours(app: Path, call: Call) -> None:
    lines = call("gate", app, "--max-weeks", "0.01", "--ignore", "HA-").out.splitlines()
    assert lines[3].startswith("  __stcs: missing, ")
    assert lines[3].endswith(" hours, first at a.cu:7")


def test_a_failed_gate_names_the_rules_that_weigh_most(tmp_path: Path, call: Call) -> None:
    mask = "__global__ void k(int* p) { *p = __shfl_sync(0xffffffff, *p, 0); }\n"
    app = make_tree(tmp_path / "masks", {"a.cu": ONE_IN_FIVE + mask})
    said = call("gate", app, "--max-weeks", "0.01").out
    assert re.search(
        r"^  HA-K030 \(32-bit lane mask.*\): changed, .* hours, first at a\.cu:8$",
        said,
        re.MULTILINE,
    )
    saved = call("scan", app, "-q", "-o", "r.json")
    assert saved.code == 0
    assert call("gate", "r.json", "--max-weeks", "0.01").out == said


def test_a_gate_looks_at_the_current_folder_unless_told(app: Path) -> None:
    assert run("gate", "--max-cuda-only", "19%", cwd=app).code == 1


def test_a_quiet_gate_prints_nothing_and_its_exit_code_tells(app: Path, call: Call) -> None:
    done = call("gate", app, "-q", "--max-cuda-only", "19%")
    assert (done.code, done.out, done.err) == (1, "", "")


@pytest.mark.parametrize("limit", ["20%", "20 %", "0.2", "1", "100%"])
def test_a_share_at_its_limit_passes_in_either_spelling(app: Path, call: Call, limit: str) -> None:
    done = call("gate", app, "--max-cuda-only", limit)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("Gate: passed\n")


def test_percent_and_fraction_are_the_same_limit(app: Path, call: Call) -> None:
    assert call("gate", app, "--max-cuda-only", "15%") == call(
        "gate", app, "--max-cuda-only", "0.15"
    )


@pytest.mark.parametrize("limit", ["30", "101%", "-1%", "many", ""])
def test_a_share_that_can_be_misread_is_exit_2(app: Path, call: Call, limit: str) -> None:
    done = call("gate", app, "--max-cuda-only", limit)
    assert (done.code, done.out) == (2, "")
    assert "--max-cuda-only" in done.err


@pytest.mark.parametrize("limit", ["-1", "nan", "inf", "soon"])
def test_weeks_that_no_estimate_can_have_are_exit_2(app: Path, call: Call, limit: str) -> None:
    done = call("gate", app, "--max-weeks", limit)
    assert (done.code, done.out) == (2, "")


def test_a_gate_without_a_condition_is_exit_2_and_names_the_conditions(
    app: Path, call: Call
) -> None:
    done = call("gate", app)
    assert (done.code, done.out) == (2, "")
    assert "--max-cuda-only 30%" in done.err
    assert "--max-weeks" in done.err


def test_a_condition_may_stand_in_the_settings_of_the_tree(app: Path, call: Call) -> None:
    (app / "hipassess.toml").write_text('max-cuda-only = "10%"\n')
    assert call("gate", app).code == 1
    assert call("gate", app, "--max-cuda-only", "50%").code == 0, "an option wins over the file"


def test_both_conditions_must_hold(app: Path, call: Call) -> None:
    assert call("gate", app, "--max-cuda-only", "50%", "--max-weeks", "99").code == 0
    done = call("gate", app, "--max-cuda-only", "50%", "--max-weeks", "0.01")
    assert done.code == 1
    assert done.out.count("pass:") == done.out.count("FAIL:") == 1
    assert "scope production, strategy hipify, team gpu" in done.out


def test_a_saved_result_is_gated_as_its_tree_is(app: Path, tmp_path: Path, call: Call) -> None:
    assert call("scan", app, "-q", "-o", "saved.JSON").code == 0
    for limits in (
        ("--max-cuda-only", "20%"),
        ("--max-cuda-only", "10%"),
        ("--max-weeks", "9"),
        ("--max-weeks", "0.1"),
    ):
        assert call("gate", "saved.JSON", *limits, "--jobs", "2") == call("gate", app, *limits)
    weeks = json.loads((tmp_path / "saved.JSON").read_text())["summary"]["effort"]["total"]["p50"]
    assert call("gate", "saved.JSON", "--max-weeks", str(weeks)).code == 0


def test_a_saved_result_of_another_scope_says_so(app: Path, call: Call) -> None:
    call("scan", app, "-q", "-o", "saved.json", "--scope", "first-run", "--rocm", "10.0")
    done = call("gate", "saved.json", "--max-weeks", "9")
    assert "scope first-run" in done.out
    assert "ROCm 10.0" in done.out


@pytest.mark.parametrize(
    ("option", "name"),
    [
        (("--rocm", "7.1"), "--rocm"),
        (("--arch", "gfx90a"), "--arch"),
        (("--scope", "production"), "--scope"),
        (("--include-vendored",), "--include-vendored"),
        (("--exclude", "x"), "--exclude"),
    ],
)
def test_an_option_that_cannot_change_a_saved_result_is_refused_by_its_name(
    app: Path, call: Call, option: tuple[str, ...], name: str
) -> None:
    call("scan", app, "-q", "-o", "saved.json")
    done = call("gate", "saved.json", "--max-weeks", "9", *option)
    assert (done.code, done.out) == (2, "")
    assert f"{name} cannot change a saved result" in done.err


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema_version": 2}', "\xff"])
def test_a_saved_result_that_is_none_is_exit_2(tmp_path: Path, call: Call, text: str) -> None:
    (tmp_path / "saved.json").write_bytes(text.encode("latin-1"))
    done = call("gate", "saved.json", "--max-weeks", "9")
    assert (done.code, done.out) == (2, "")
    assert not done.traceback


def test_an_incomplete_saved_result_is_exit_4(app: Path, call: Call) -> None:
    (app / "big.cu").write_text("// x\n" * 999)
    (app / "hipassess.toml").write_text("max-file-bytes = 400\n")
    assert call("scan", app, "-q", "-o", "saved.json").code == 4
    assert call("gate", "saved.json", "--max-weeks", "99").code == 4
