"""The rows and bars of the page, tested without HTML."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.model.effort import Range
from migrate.model.verdict import State, Verdict
from migrate.report.html.charts import axis_for, range_bar, stacked_bar
from migrate.report.html.rows import Limits
from migrate.report.html.view import view_page
from tests.report.sample import make_assessment, make_big_assessment, make_empty_assessment

_COUNTS = st.dictionaries(st.sampled_from(list(Verdict)), st.integers(0, 10**6), min_size=1)


def _percent(text: str) -> float:
    return float(text.removesuffix("%"))


@pytest.mark.property
@given(_COUNTS)
def test_a_stacked_bar_is_full_in_order_and_hides_no_verdict(counts: dict[Verdict, int]) -> None:
    bar = stacked_bar(counts)
    present = [verdict.value for verdict in Verdict if counts.get(verdict)]
    assert [segment.verdict for segment in bar.segments] == present
    x = 0.0
    for segment in bar.segments:
        assert _percent(segment.x) == pytest.approx(x, abs=0.1)
        assert _percent(segment.width) > 0.4
        x += _percent(segment.width)
    assert not present or x == pytest.approx(100, abs=0.1)


@pytest.mark.property
@given(st.floats(min_value=0.001, max_value=1e5))
def test_an_axis_has_few_round_marks_and_stays_inside(top: float) -> None:
    axis = axis_for(top)
    assert 3 <= len(axis.ticks) <= 6
    assert axis.ticks[0].label == "0"
    assert _percent(axis.ticks[-1].x) <= 100


def test_a_range_starts_at_p10_ends_at_p90_and_is_marked_at_p50() -> None:
    bar = range_bar(Range(5.0, 10.0, 20.0), axis_for(20.0))
    assert (bar.x, bar.width, bar.mark) == ("25%", "75%", "50%")
    assert bar.words == "10 person-weeks, 5.0 to 20"


def test_findings_come_open_ones_first_then_severest_then_costliest() -> None:
    rows = view_page(make_assessment()).tables.findings
    assert [row.symbol for row in rows[:3]] == [
        "cudaGraphConditionalHandleCreate", "asm", "cudnnConvolutionForward",
    ]  # fmt: skip
    assert rows[-1].state == State.HIP


def test_names_with_nothing_to_move_to_leave_out_what_is_not_to_be_ported() -> None:
    assessment = make_assessment()
    vendored = replace(
        assessment.apis[3],
        name="cudaTheirs",
        uses=99,
        state=State.VENDORED,
        verdict=Verdict.MISSING,
    )
    page = view_page(replace(assessment, apis=(*assessment.apis, vendored)))
    assert [row.name for row in page.top_names][:2] == [
        "cudaMemcpyBatchAsync", "cudaGraphConditionalHandleCreate",
    ]  # fmt: skip
    assert page.top_names_shown.total == 3


def test_groups_count_the_uses_of_the_whole() -> None:
    page = view_page(make_assessment())
    uses = sum(make_assessment().summary.verdicts.values())
    assert sum(row.uses for row in page.libraries.rows) == uses
    assert sum(row.uses for row in page.directories.rows) == uses


def test_files_without_cuda_are_counted_not_listed() -> None:
    tables = view_page(make_assessment()).tables
    assert tables.files_without == 1
    assert "src/plain.cpp" not in {row.path for row in tables.files}


def test_the_page_says_in_short_what_a_meeting_asks() -> None:
    uses, weeks, *caveats = view_page(make_assessment()).in_short
    assert uses.startswith("Of 1,765 uses of CUDA, 92 % keep their name")
    assert "2.3 % have nothing to move to" in uses
    assert "about 3.0 person-weeks; scope production takes about 12 (6.3 to 23)" in weeks
    assert any("lane masks and 32-lane code not judged yet" in caveat for caveat in caveats)


def test_a_page_of_nothing_has_no_rows_and_no_division() -> None:
    page = view_page(make_empty_assessment())
    assert page.bar.segments == ()
    assert page.tables.findings == ()
    assert page.hot_files == ()
    assert page.in_short == ("No use of CUDA was found that is still to be ported.",)


def test_the_worst_findings_are_those_kept_when_rows_are_capped() -> None:
    page = view_page(make_big_assessment(findings=400, files=30), Limits(findings=40))
    assert {row.severity for row in page.tables.findings} == {"blocker"}
    assert page.tables.findings_shown.words == "showing 40 of 400; the rest is in the JSON"


def test_the_sites_of_a_finding_are_listed_and_what_is_left_out_is_counted() -> None:
    page = view_page(make_assessment(), Limits(sites=2))
    row = next(row for row in page.tables.findings if row.more_sites)
    assert (row.more_sites, len(row.sites), row.sites_left) == (2, 1, 1)


def test_evidence_of_our_tables_is_named_by_its_title() -> None:
    assessment = make_assessment()
    keyed = replace(assessment.apis[4], evidence=("cuda-headers-12.9",))
    row = view_page(replace(assessment, apis=(keyed,))).tables.apis[0]
    assert row.evidence[0].title.startswith("CUDA runtime and driver headers 12.9")
