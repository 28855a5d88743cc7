"""The terminal summary: the target first, one screen, nothing hidden, nothing acting."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from migrate.model.assessment import Project
from migrate.model.effort import Range
from migrate.model.verdict import Tier
from migrate.report.ranking import is_work
from migrate.report.text import render_text
from tests.report.sample import (
    make_assessment,
    make_assessment_with_rules,
    make_big_assessment,
    make_empty_assessment,
    make_incomplete_assessment,
)

_SAMPLES = {
    "realistic": make_assessment(),
    "empty": make_empty_assessment(),
    "incomplete": make_incomplete_assessment(),
    "big": make_big_assessment(findings=200, files=40),
    "rules": make_assessment_with_rules(),
}


@pytest.mark.parametrize("name", _SAMPLES)
def test_the_summary_fits_one_screen(name: str) -> None:
    lines = render_text(_SAMPLES[name], width=80, colour=False).splitlines()
    assert len(lines) <= 50
    assert max(cell_len(line) for line in lines) <= 80


def test_the_target_stands_first() -> None:
    text = render_text(make_assessment(), width=80, colour=False)
    assert text.startswith("ROCm 7.2 on gfx942: lattice-trainer\n")


@pytest.mark.parametrize(
    "said",
    [
        "written for CUDA 12.8 (tree: docker/Dockerfile:1)",
        "tables of 2026-11",
        "Tables     9 of 187 names last checked before ROCm 7.2 came (2 unconfirmed)",
        "2.3 % of uses, 7.5 % of names, 6.1 % of lines",
        "133 ported, 9 hip, 870 vendored",
        "production, hipify, experienced GPU developers",
        "src/nn/conv.cpp",
        "cudaGraphConditionalHandleCreate",
        "src/graph.cu:210",
        "cuDNN -> MIOpen",
        "NPP -> nothing",
        "2 files: larger than 16 MiB (1); not readable",
        "-o report.html",
    ],
)
def test_the_summary_says(said: str) -> None:
    assert said in render_text(make_assessment(), width=80, colour=False)


def test_a_run_that_wrote_a_report_is_not_told_to_write_one() -> None:
    text = render_text(make_assessment(), width=80, colour=False, next_step=False)
    assert "report.html" not in text


def test_effort_has_its_range_and_the_first_run_beside_it() -> None:
    text = render_text(make_assessment(), width=80, colour=False)
    assert re.search(r"total +6\.3 +12 +23 ", text)
    assert re.search(r"first run +1\.6 +3\.0 +5\.5 ", text)


def test_an_incomplete_run_says_so_before_any_number() -> None:
    text = render_text(make_incomplete_assessment(), width=80, colour=False)
    warning = text.index("INCOMPLETE 12 % of the candidate lines")
    assert warning < text.index("Size")
    assert "INCOMPLETE" not in render_text(make_assessment(), width=80, colour=False)


def test_a_tree_without_cuda_gets_a_plain_answer() -> None:
    text = render_text(make_empty_assessment(), width=80, colour=False)
    assert "Nothing here is still to be ported." in text
    assert "0 % of uses" in text


def test_names_from_the_tree_cannot_drive_the_terminal() -> None:
    text = render_text(make_assessment(), width=200, colour=False)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"\x1b[31m\u202e.cu" in text


def test_names_from_the_tree_are_no_markup() -> None:
    odd = replace(make_assessment(), root_name="[bold red]x[/] :smile:")
    assert "[bold red]x[/] :smile:" in render_text(odd, width=80, colour=False)


def test_colour_comes_only_when_asked_for() -> None:
    plain = render_text(make_assessment(), width=80, colour=False)
    coloured = render_text(make_assessment(), width=80, colour=True)
    assert "\x1b[" not in plain
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()


def test_the_environment_does_not_change_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = render_text(make_assessment(), width=80, colour=False)
    for name, value in (("FORCE_COLOR", "1"), ("COLUMNS", "40"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
    assert render_text(make_assessment(), width=80, colour=False) == plain


def test_a_long_path_loses_its_front_and_keeps_its_place() -> None:
    long = "src/caffe/layers/and/some/more/folders/cudnn_relu_layer.cu"
    sample = make_assessment()
    apis = tuple(replace(row, places=((long, 61),)) for row in sample.apis)
    text = render_text(replace(sample, apis=apis), width=80, colour=False)
    assert re.search(r" \u2026/[\w/]*cudnn_relu_layer.cu:61\n", text)
    assert f"{long}:61" in render_text(replace(sample, apis=apis), width=None, colour=False)


def test_hours_by_file_are_said_not_to_be_all() -> None:
    lines = render_text(make_assessment(), width=80, colour=False).splitlines()
    table = next(number for number, line in enumerate(lines) if line.startswith("Most work in"))
    end = lines.index("", table)
    assert lines[end - 1].endswith("fixed costs, libraries, tests and tuning belong to no file")


def test_less_than_a_tenth_of_a_week_is_not_shown_as_more_exact_than_it_is() -> None:
    sample = make_assessment()
    effort = replace(sample.summary.effort, first_run=Range(0.004, 0.0999, 0.1))
    small = replace(sample, summary=replace(sample.summary, effort=effort))
    text = render_text(small, width=80, colour=False)
    assert re.search(r"first run +< 0\.1 +< 0\.1 +0\.1 ", text)


def test_libraries_that_do_not_fit_are_counted() -> None:
    sample = make_assessment()
    library = next(row for row in sample.components if row.kind != "runtime")
    many = tuple(replace(library, name=f"cuLibrary{number}") for number in range(20))
    text = render_text(replace(sample, components=many), width=80, colour=False)
    assert re.search(r"Libraries .*, and \d+ more\n", text)


def test_a_wrapper_header_is_named_with_its_uses() -> None:
    text = render_text(make_assessment(), width=None, colour=False)
    assert (
        "src/gpu_shim.h wraps 14 CUDA names (at least 212 uses through it): map these there, "
        "and the callers follow (1 more such header)"
    ) in text


def test_a_wrapper_header_that_is_mapped_already_asks_for_nothing() -> None:
    base = make_assessment()
    layer = replace(base.project.wrappers[0], ported=14, expansions=None)
    done = replace(base, project=replace(base.project, wrappers=(layer,)))
    text = render_text(done, width=None, colour=False)
    assert "src/gpu_shim.h wraps 14 CUDA names, all of them mapped to HIP already\n" in text


def test_the_problems_in_the_code_stand_by_rule_with_functions_sites_and_hours() -> None:
    lines = render_text(make_assessment_with_rules(), width=80, colour=False).splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("Problems"))
    assert lines[head].split()[-4:] == ["functions", "sites", "hours", "rule"]
    assert re.search(
        r"  Inline PTX for a load <b>past</b> the\.\.\. +1 +1 +2\.0 +HA-K003$", lines[head + 1]
    )
    assert re.search(
        r"  32-bit lane mask in a warp sync builtin +3 +5 +1\.5 +HA-K012$", lines[head + 2]
    )
    assert lines[head + 3] == ""


def test_of_many_problems_the_costliest_stand_there_and_all_are_counted() -> None:
    base = make_assessment()
    one = next(row for row in base.findings if row.rule == "HA-K012")
    more = tuple(replace(one, rule=f"HA-K1{n:02}", hours=(0, n, 0)) for n in range(9))
    text = render_text(replace(base, findings=more), width=80, colour=False)
    assert "Problems in the code (4 of 9)" in text
    assert re.findall(r" (HA-K1\d\d)\n", text) == ["HA-K108", "HA-K107", "HA-K106", "HA-K105"]


def test_a_rule_whose_lines_another_prices_says_with_which() -> None:
    base = make_assessment()
    one = next(row for row in base.findings if row.rule == "HA-K012")
    free = replace(one, rule="HA-K101", hours=(0, 0, 0), priced_with="HA-K012")
    text = render_text(replace(base, findings=(one, free)), width=80, colour=False)
    assert re.search(r" 0 +HA-K101, priced with HA-K012\n", text)
    assert re.search(r" HA-K012\n", text)


def test_what_is_only_possible_or_an_opportunity_is_told_beside_in_one_line() -> None:
    text = render_text(make_assessment_with_rules(), width=100, colour=False)
    assert (
        "Beside     2 possible problems, not counted; "
        "1 note without effort: Many small copies in a loop\n"
    ) in text
    assert "Beside" not in render_text(make_assessment(), width=100, colour=False)


def test_what_rules_found_around_the_code_stands_apart_from_the_problems_in_it() -> None:
    ruled = make_assessment_with_rules()
    work = next(row for row in ruled.findings if row.rule.startswith("HA-K") and is_work(row))
    around = tuple(
        replace(row, tier=Tier.ECOSYSTEM) if row.rule == work.rule else row
        for row in ruled.findings
    )
    title = next(rule.title for rule in ruled.rules if rule.id == work.rule)
    before = render_text(ruled, width=120, colour=False)
    after = render_text(replace(ruled, findings=around), width=120, colour=False)
    assert re.search(rf"^  {re.escape(title)}", before, re.MULTILINE)
    assert "Around it" not in before
    assert not re.search(rf"^  {re.escape(title)}", after, re.MULTILINE)
    assert re.search(rf"^Around it .*{re.escape(title)} \(\d+\)", after, re.MULTILINE)


def test_the_summary_says_how_the_code_is_built_and_tested() -> None:
    project = Project(
        build=("cmake", "make"),
        test_files=3,
        test_frameworks=("gtest",),
        ci_systems=("github",),
        ci_gpu=True,
        hip_support="partial",
    )
    text = render_text(replace(make_assessment(), project=project), width=120, colour=False)
    assert (
        "Project    built with cmake, make; 3 test files (gtest); CI github with a GPU, knows no "
        "ROCm; HIP support partial\n"
    ) in text
    silent = render_text(replace(make_assessment(), project=Project()), width=120, colour=False)
    assert "Project " not in silent
