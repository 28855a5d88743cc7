"""What the pipeline does when a stage has bad news: files lost while they were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import migrate.reading
from migrate.errors import AssessError, ExitCode
from migrate.model.facts import FileFacts
from migrate.parse.workers import parse_files
from migrate.pipeline import assess
from migrate.report.html.headline import in_short
from migrate.report.text import render_text
from migrate.settings import load_settings

CODE = "void f(float** p) { cudaMalloc(p, 4); }\n"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    for name in ("a.cu", "b.cu", "c.cu"):
        (tmp_path / name).write_text(CODE)
    return tmp_path


def lose(monkeypatch: pytest.MonkeyPatch, *paths: str) -> None:
    """Let the reading of some files fail, as when they vanish after the walk."""

    def losing(*arguments: object, **options: object) -> Iterator[FileFacts]:
        for facts in parse_files(*arguments, **options):  # type: ignore[arg-type]
            lost = facts.path in paths
            yield (
                FileFacts(path=facts.path, language=facts.language, error="vanished")
                if lost
                else facts
            )

    monkeypatch.setattr(migrate.reading, "parse_files", losing)


def test_a_file_lost_while_it_was_read_is_listed_and_makes_the_run_incomplete(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch, "b.cu")
    assessment = assess(load_settings([app], {"jobs": 1, "semantic": "off"}))
    assert [(row.path, row.reason, row.candidate) for row in assessment.skipped] == [
        ("b.cu", "vanished", True)
    ]
    assert (assessment.summary.files, assessment.summary.uses) == (2, 2)
    assert not assessment.complete
    assert assessment.incomplete_reason.startswith("1 candidate file with 33 % of the bytes")


def test_how_much_may_stay_unread_is_a_setting(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lose(monkeypatch, "b.cu")
    settings = replace(load_settings([app], {"jobs": 1, "semantic": "off"}), max_unread=0.34)
    assert assess(settings).complete


def test_when_every_file_is_lost_there_is_nothing_to_assess(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch, "a.cu", "b.cu", "c.cu")
    with pytest.raises(AssessError, match="no readable source") as caught:
        assess(load_settings([app], {"jobs": 1, "semantic": "off"}))
    assert caught.value.code is ExitCode.NOTHING_TO_ASSESS
    assert "vanished (3)" in caught.value.hint


def test_progress_rises_to_the_number_of_files(app: Path) -> None:
    told: list[tuple[str, int, int]] = []
    assess(
        load_settings([app], {"jobs": 1, "semantic": "off"}),
        progress=lambda stage, done, total: told.append((stage, done, total)),
    )
    assert told[0] == ("reading", 0, 3)
    assert told[-1] == ("reading", 3, 3)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


@pytest.mark.parametrize("excerpts", [False, True])
def test_code_is_carried_only_where_it_is_shown(tmp_path: Path, excerpts: bool) -> None:
    (tmp_path / "a.cu").write_text("int one;\n__global__ void k(int* p) { __stcs(p, 1); }\n")
    assessment = assess(
        load_settings([tmp_path], {"jobs": 1, "semantic": "off"}), excerpts=excerpts
    )
    assert bool(assessment.excerpts) is excerpts
    if excerpts:
        assert assessment.excerpts["a.cu", 2].lines[0] == "int one;"


def test_what_the_include_patterns_left_out_is_one_line_with_its_total(tmp_path: Path) -> None:
    for name in ("a/x.cu", "b/y.cu", "b/z.cu"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(CODE)
    with pytest.raises(AssessError) as caught:
        assess(load_settings([tmp_path], {"jobs": 1, "semantic": "off", "include": ["c/"]}))
    assert caught.value.hint == "Left out: matched by no include pattern (3)."


def test_a_tree_of_cuda_fortran_is_no_port_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "k.cuf").write_text("attributes(global) subroutine k(x)\nend subroutine\n")
    assessment = assess(load_settings([tmp_path], {"semantic": "off"}))
    assert [(row.rule, row.path) for row in assessment.findings] == [("HA-E180", "k.cuf")]
    assert not assessment.complete
    assert "1 file of CUDA Fortran with 100 % of the bytes in no figure" in (
        assessment.incomplete_reason
    )
    text = render_text(assessment, width=80, colour=False)
    assert "No CUDA in C or C++ is still to be ported" in text
    assert "CUDA Fortran in 1 file with 1 kernel is in no figure" in text
    short = " ".join(in_short(assessment))
    assert "CUDA Fortran in 1 file with 1 kernel is in no figure" in short


def test_openacc_is_said_to_be_in_no_figure(tmp_path: Path) -> None:
    (tmp_path / "a.f90").write_text("!$acc parallel loop\n")
    (tmp_path / "b.c").write_text("void f(int *x) {\n#pragma acc kernels\n  x[0] = 1;\n}\n")
    assessment = assess(load_settings([tmp_path], {"semantic": "off"}))
    assert {(row.rule, row.path) for row in assessment.findings} == {
        ("HA-E183", "a.f90"),
        ("HA-E183", "b.c"),
    }
    assert assessment.complete
    assert "OpenACC in 2 files is in no figure" in render_text(assessment, width=80, colour=False)
