"""The ``map`` command: what becomes of single names, as text and as JSON."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from migrate.cli import main
from migrate.errors import AssessError
from migrate.knowledge.apis import load_tables
from migrate.report.name_map import Answer, answers_for, render_map_json, render_map_text


def answers(
    *names: str,
    rocm: tuple[str, ...] = (),
    cuda: str | None = None,
    arch: str | None = None,
    previews: bool = False,
) -> tuple[Answer, ...]:
    return answers_for(names, rocm, cuda=cuda, arch=arch, previews=previews)


def rows_of(found: tuple[Answer, ...]) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(render_map_json(found))
    return loaded


def test_the_example_of_the_contract_is_what_comes_out() -> None:
    (row,) = rows_of(answers("cudaMemAdvise", rocm=("7.2",)))
    assert row["name"] == "cudaMemAdvise"
    assert (row["rocm"], row["library"], row["verdict"]) == ("7.2", "runtime", "renamed")
    assert (row["hip"], row["since"], row["flags"]) == ("hipMemAdvise", "3.7.0", [])
    assert row["cuda"] == {"added": "8.0", "changed": "13.0"}
    assert "near" not in row
    assert row["evidence"]
    assert all(isinstance(place, str) for place in row["evidence"])


def test_a_first_release_with_a_patch_level_keeps_it() -> None:
    assert rows_of(answers("cublasSaxpy", rocm=("7.2",)))[0]["since"] == "1.8.2"
    assert rows_of(answers("cudaMalloc", rocm=("7.2",)))[0]["since"].count(".") == 2
    assert rows_of(answers("cudaThreadSetLimitX", rocm=("7.2",)))[0]["since"] is None


def test_without_releases_every_production_release_answers_in_order() -> None:
    production = ["6.2", "6.3", "6.4", "7.0", "7.1", "7.2", "10.0", "10.1", "10.2"]
    assert [row["rocm"] for row in rows_of(answers("cudaMalloc"))] == production


def test_with_previews_the_releases_come_in_the_order_of_their_numbers() -> None:
    releases = [row["rocm"] for row in rows_of(answers("cudaMalloc", previews=True))]
    assert releases[5:8] == ["7.2", "7.9", "7.10"]
    assert releases[11:] == ["7.14", "10.0", "10.1", "10.2"]


def test_chosen_releases_answer_once_and_in_order() -> None:
    found = rows_of(answers("cudaMalloc", "cudaFree", rocm=("10.2", "6.2", "7.2.4", "7.2")))
    assert [(row["name"], row["rocm"]) for row in found] == [
        (name, rocm) for name in ("cudaMalloc", "cudaFree") for rocm in ("6.2", "7.2", "10.2")
    ]


def test_the_form_of_cuda_13_is_another_one() -> None:
    (row,) = rows_of(answers("cudaMemAdvise", rocm=("7.2",), cuda="13.0"))
    assert (row["verdict"], row["hip"]) == ("changed", "hipMemAdvise_v2")
    assert "for source code of CUDA 13.0" in render_map_text(answers("cudaMemAdvise", cuda="13.0"))


def test_the_gpu_decides_what_hardware_decides() -> None:
    (without,) = rows_of(answers("tex2D", rocm=("7.2",)))
    (with_images,) = rows_of(answers("tex2D", rocm=("7.2",), arch="gfx1100"))
    assert (without["arch"], without["verdict"]) == ("gfx942", "missing")
    assert (with_images["arch"], with_images["verdict"]) == ("gfx1100", "same")


def test_an_unknown_name_comes_with_close_ones() -> None:
    (row,) = rows_of(answers("cudaMaloc", rocm=("7.2",)))
    assert (row["verdict"], row["library"], row["hip"]) == ("unknown", None, None)
    assert row["near"][0] == "cudaMalloc"
    assert rows_of(answers("zzzz", rocm=("7.2",)))[0]["near"] == []
    shown = render_map_text(answers("cudaMaloc"))
    assert "cudaMaloc: no table knows this name\n  Did you mean cudaMalloc" in shown
    assert "ROCm" not in shown


def test_releases_that_agree_share_a_line_and_previews_have_their_own() -> None:
    lines = render_map_text(answers("cudaGreenCtxCreate", previews=True)).splitlines()
    assert lines[0].startswith("On gfx942, for source code of CUDA 12; tables of 20")
    assert lines[3:7] == [
        "  ROCm 6.2 to 7.2       later -> hipGreenCtxCreate, from ROCm 10.0",
        "  ROCm 10.0 to 10.2     renamed -> hipGreenCtxCreate",
        "  previews 7.9 to 7.13  later -> hipGreenCtxCreate, from ROCm 7.14",
        "  preview 7.14          renamed -> hipGreenCtxCreate",
    ]


def test_releases_between_which_one_was_left_out_are_no_range() -> None:
    assert "  ROCm 6.2, 10.2  " in render_map_text(answers("cudaMalloc", rocm=("10.2", "6.2")))
    assert "  ROCm 7.2, 10.0  " not in render_map_text(answers("cudaMalloc", rocm=("7.2", "10.0")))
    assert "  ROCm 7.2 to 10.0  " in render_map_text(answers("cudaMalloc", rocm=("7.2", "10.0")))


def test_a_note_that_is_not_that_of_all_releases_names_its_own() -> None:
    shown = render_map_text(answers("cudaMemAdvise"))
    assert "  ROCm 10.2: From ROCm 10.2 hipMemAdvise means" in shown
    everywhere = render_map_text(answers("cudaMallocManaged"))
    assert everywhere.count("XNACK") == 1
    assert "ROCm 6.2 to 10.2:" not in everywhere


def test_an_answer_says_how_old_its_claim_and_the_tables_are() -> None:
    (row,) = rows_of(answers("cudaThreadSetLimit", rocm=("7.2",)))
    shown = render_map_text(answers("cudaThreadSetLimit", rocm=("7.2",)))
    assert re.fullmatch(r"20\d\d-\d\d", row["as_of"])
    assert f"tables of {load_tables().as_of}" in shown
    assert f"  Sources ({row['as_of']}): " in shown
    assert rows_of(answers("cudaMaloc", rocm=("7.2",)))[0]["as_of"] is None


def test_every_source_stands_once_and_by_its_title() -> None:
    shown = render_map_text(answers("cudaMemAdvise", previews=True))
    assert shown.count("Sources (") == 1
    assert " ".join(shown.split()).count("HIP change log") == 1
    assert "http" not in shown


def test_text_keeps_to_the_width_of_a_terminal() -> None:
    names = (
        "cudaMemAdvise",
        "__shfl_sync",
        "cudnnConvolutionForward",
        "cub::CountingInputIterator",
    )
    assert max(map(len, render_map_text(answers(*names, previews=True)).splitlines())) <= 100


def test_control_codes_in_a_name_are_shown_and_not_sent() -> None:
    assert "\x1b" not in render_map_text(answers("cuda\x1b[31mX"))


@pytest.mark.parametrize(
    ("rocm", "arch", "cuda", "slug"),
    [
        ("7.3", "gfx942", "12", "unknown-release"),
        ("7.2", "gfx9999", "12", "unknown-arch"),
        ("7.2", "gfx942", "twelve", "bad-cuda-version"),
    ],
)
def test_a_target_that_is_none_is_refused(rocm: str, arch: str, cuda: str, slug: str) -> None:
    with pytest.raises(AssessError) as caught:
        answers("cudaMalloc", rocm=(rocm,), arch=arch, cuda=cuda)
    assert caught.value.slug == slug


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["hipassess", "map", *arguments])
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_the_command_prints_a_list_and_ends_with_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ("--rocm", "7.2", "--rocm", "10.0", "--cuda", "13.0", "--arch", "gfx1100")
    assert run(monkeypatch, "cudaMalloc", "cudaMaloc", *chosen, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["rocm"], row["verdict"]) for row in found] == [
        ("cudaMalloc", "7.2", "renamed"),
        ("cudaMalloc", "10.0", "renamed"),
        ("cudaMaloc", "7.2", "unknown"),
        ("cudaMaloc", "10.0", "unknown"),
    ]


@pytest.mark.parametrize(
    "wrong", [("--rocm", "5.0"), ("--arch", "sm_80"), ("--cuda", "x"), ("--format", "yaml")]
)
def test_a_wrong_option_ends_with_2_and_no_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: tuple[str, str]
) -> None:
    assert run(monkeypatch, "cudaMalloc", *wrong) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("hipassess: ")
