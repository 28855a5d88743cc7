"""Sums and shares over classified uses, worked out by hand on small files."""

from __future__ import annotations

import pytest

from migrate.classify.totals import (
    api_rows,
    directory_rows,
    file_rows,
    is_cuda_file,
    library_rows,
    shares_of,
)
from migrate.classify.uses import ClassifiedFile
from migrate.model.source import Language
from migrate.model.verdict import State, Verdict
from tests.classify.samples import At, answer, classified, facts_of, function

ANSWERS = {
    "cudaFree": answer("cudaFree", Verdict.RENAMED, hip="hipFree"),
    "cudaGone": answer("cudaGone", Verdict.MISSING),
    "cudaSoon": answer("cudaSoon", Verdict.LATER),
    "cudaMine": answer("cudaMine", Verdict.UNKNOWN, library=""),
    "cudnnRun": answer("cudnnRun", Verdict.REPLACED, library="dnn"),
}


def file_of(path: str, *uses: At) -> ClassifiedFile:
    return classified(
        facts_of(path, uses, (function("f", 11, 20), function("k", 31, 34, kernel=True))), ANSWERS
    )


def shares(*uses: At) -> tuple[float, float, float]:
    found = shares_of([file_of("a.cu", *uses)])
    return (found.by_use, found.by_name, found.by_line)


def test_without_an_active_use_every_share_is_0() -> None:
    assert shares() == (0.0, 0.0, 0.0)
    assert shares(At(symbol="cudaGone", line=1, state=State.VENDORED)) == (0.0, 0.0, 0.0)
    assert shares_of([]).by_use == 0.0


def test_the_three_shares_have_three_bases() -> None:
    # f has 10 lines and 3 harmless uses, k 4 lines and a CUDA-only one, line 50 is at file scope.
    assert shares(
        At(symbol="cudaFree", line=12, function=1),
        At(symbol="cudaFree", line=13, function=1),
        At(symbol="cudnnRun", line=14, function=1),
        At(symbol="cudaGone", line=32, function=2),
        At(symbol="cudaFree", line=50),
    ) == (1 / 5, 1 / 3, 4 / 15)


def test_later_missing_and_unknown_are_cuda_only() -> None:
    for symbol in ("cudaSoon", "cudaGone", "cudaMine"):
        assert shares(At(symbol=symbol, line=1)) == (1.0, 1.0, 1.0)


def test_a_line_at_file_scope_counts_once_and_by_its_worst_use() -> None:
    assert shares(
        At(symbol="cudaGone", line=50),
        At(symbol="cudaFree", line=50),
        At(symbol="cudaFree", line=51),
        At(symbol="cudaFree", line=52),
    ) == (1 / 4, 1 / 2, 1 / 3)


def test_a_function_counts_by_its_worst_use_whatever_the_order() -> None:
    good, bad = (
        At(symbol="cudaFree", line=12, function=1),
        At(symbol="cudaGone", line=13, function=1),
    )
    assert shares(good, bad) == shares(bad, good) == (1 / 2, 1 / 2, 1.0)


def test_ported_and_vendored_uses_are_in_no_share() -> None:
    assert shares(
        At(symbol="cudaFree", line=12, function=1),
        At(symbol="cudaGone", line=32, function=2, state=State.PORTED),
        At(symbol="cudaGone", line=50, state=State.VENDORED),
    ) == (0.0, 0.0, 0.0)


def test_the_same_lines_of_two_files_are_two_places() -> None:
    files = [
        file_of("a.cu", At(symbol="cudaFree", line=12, function=1)),
        file_of("b.cu", At(symbol="cudaGone", line=12, function=1)),
    ]
    found = shares_of(files)
    assert (found.by_use, found.by_name, found.by_line) == (0.5, 0.5, 0.5)


def test_apis_have_a_row_a_name_verdict_and_state() -> None:
    files = [
        file_of(
            "a.cu",
            At(symbol="cudaGone", line=1),
            At(symbol="cudaGone", line=1),
            At(symbol="cudaGone", line=2, state=State.PORTED),
            At(symbol="cudaFree", line=3),
        ),
        file_of("b.cu", At(symbol="cudaGone", line=9)),
    ]
    assert [(row.name, row.state, row.uses, row.files, row.places) for row in api_rows(files)] == [
        ("cudaFree", State.ACTIVE, 1, 1, (("a.cu", 3),)),
        ("cudaGone", State.ACTIVE, 3, 2, (("a.cu", 1), ("b.cu", 9))),
        ("cudaGone", State.PORTED, 1, 1, (("a.cu", 2),)),
    ]


def test_a_name_used_everywhere_lists_its_first_places_only() -> None:
    uses = [At(symbol="cudaFree", line=line) for line in range(1, 100)]
    (row,) = api_rows([file_of("a.cu", *uses)])
    assert row.uses == 99
    assert row.places == tuple(("a.cu", line) for line in range(1, 26))


def test_files_and_folders_add_up_their_active_uses() -> None:
    files = [
        file_of("src/a.cu", At(symbol="cudaGone", line=1), At(symbol="cudaFree", line=2)),
        file_of("src/b.cu", At(symbol="cudaFree", line=1, state=State.PORTED)),
        file_of("c.cu", At(symbol="cudaFree", line=1)),
        file_of("none/d.cu"),
    ]
    rows = file_rows(files, {"c.cu"}, {"src/a.cu": 2}, {"src/a.cu": 3.0, "c.cu": 1.5})
    first, second, third, fourth = rows
    assert (first.uses, first.findings, first.hours, first.kernels) == (2, 2, 3.0, 1)
    assert first.cuda_only == 1
    assert (second.uses, sum(second.verdicts.values())) == (1, 0)
    assert second.states == {State.PORTED: 1}
    assert (third.vendored, fourth.uses, fourth.hours) == (True, 0, 0.0)
    groups = directory_rows(rows)
    assert [(row.name, row.files, row.uses, row.hours, row.lines) for row in groups] == [
        (".", 1, 1, 1.5, 100),
        ("src", 2, 2, 3.0, 200),
    ]
    assert groups[1].verdicts[Verdict.MISSING] == groups[1].verdicts[Verdict.RENAMED] == 1


def test_libraries_count_active_names_and_unknown_names_have_a_title() -> None:
    files = [
        file_of(
            "a.cu",
            At(symbol="cudnnRun", line=1),
            At(symbol="cudaMine", line=2),
            At(symbol="cudaFree", line=3, state=State.VENDORED),
        ),
        file_of("b.cu", At(symbol="cudnnRun", line=1)),
    ]
    rows = library_rows(files, {"dnn": "cuDNN", "runtime": "CUDA runtime API"})
    assert [(row.name, row.title, row.files, row.uses) for row in rows] == [
        ("unknown", "Unknown names", 1, 1),
        ("dnn", "cuDNN", 2, 2),
    ]
    assert [row.title for row in library_rows(files, {})] == ["Unknown names", "dnn"]


@pytest.mark.parametrize(
    ("language", "path", "cuda"),
    [
        (Language.CUDA, "a.cc", True),
        (Language.CPP, "a.cuh", True),
        (Language.HIP, "a.cu", True),
        (Language.CPP, "a.cpp", False),
    ],
)
def test_a_cuda_file_is_one_by_language_or_name(language: Language, path: str, cuda: bool) -> None:
    assert is_cuda_file(language, path) is cuda
