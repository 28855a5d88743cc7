"""The rows and bars of the page, tested without HTML."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.model.effort import Range
from migrate.model.semantic import SemanticRun
from migrate.model.source import Skipped
from migrate.model.verdict import State, Verdict
from migrate.report.html.charts import axis_for, range_bar, stacked_bar
from migrate.report.html.places import Limits
from migrate.report.html.view import view_page
from tests.report.sample import (
    make_assessment,
    make_assessment_with_a_replaced_library,
    make_assessment_with_rules,
    make_big_assessment,
    make_empty_assessment,
)

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
    rows = view_page(make_assessment()).tables.findings.rows
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
    uses, weeks, rests, unread = view_page(make_assessment()).in_short
    assert uses.startswith("Of 1,765 uses of CUDA, 92 % keep their name")
    assert "2.3 % have nothing to move to" in uses
    assert "about 3.0 person-weeks; scope production takes about 12 (6.3 to 23)" in weeks
    assert "nothing was built or run" in rests
    assert "that the parser could not read whole" in unread


def test_what_the_compiler_lacked_is_a_sentence() -> None:
    run = SemanticRun(missing_headers=(("a.h", 4), ("b.h", 3), ("c.h", 2), ("d.h", 1)))
    page = view_page(replace(make_assessment(), semantic=run))
    assert page.in_short[-1] == "The compiler lacked headers: a.h, b.h, c.h and others."


def test_less_than_a_tenth_of_a_week_reads_as_words() -> None:
    assessment = make_assessment()
    effort = replace(assessment.summary.effort, first_run=Range(0.01, 0.05, 0.2))
    page = view_page(replace(assessment, summary=replace(assessment.summary, effort=effort)))
    assert "run once takes less than 0.1 person-weeks" in page.in_short[1]
    assert page.effort.rows[-1].bar.words == "< 0.1 person-weeks, < 0.1 to 0.2"


def test_a_page_of_nothing_has_no_rows_and_no_division() -> None:
    page = view_page(make_empty_assessment())
    assert page.bar.segments == ()
    assert page.tables.findings.rows == ()
    assert page.hot_files == ()
    assert page.in_short == ("No use of CUDA was found that is still to be ported.",)


def test_the_worst_findings_are_those_kept_when_rows_are_capped() -> None:
    page = view_page(make_big_assessment(findings=400, files=30), Limits(findings=40))
    assert {row.severity for row in page.tables.findings.rows} == {"blocker"}
    assert page.tables.findings.shown.words == "showing 40 of 400; the rest is in the JSON"


def test_the_sites_of_a_finding_are_listed_and_what_is_left_out_is_counted() -> None:
    page = view_page(make_assessment(), Limits(sites=2))
    row = next(row for row in page.tables.findings.rows if row.more_sites)
    assert (row.more_sites, len(row.sites), row.sites_left) == (2, 1, 1)


def test_evidence_of_our_tables_is_named_by_its_title() -> None:
    assessment = make_assessment()
    keyed = replace(assessment.apis[4], evidence=("cuda-headers-12.9",))
    row = view_page(replace(assessment, apis=(keyed,))).tables.apis[0]
    assert row.evidence[0].title.startswith("CUDA runtime and driver headers 12.9")


def test_the_findings_of_a_replaced_library_are_one_row_a_file() -> None:
    assessment = make_assessment_with_a_replaced_library()
    table = view_page(assessment).tables.findings
    (group,) = (row for row in table.rows if row.members)
    assert (group.symbol, group.hip, group.place.path) == ("cuDNN", "MIOpen", "src/nn/conv.cpp")
    assert sorted(row.symbol for row in group.members) == [
        "cudnnConvolutionForward", "cudnnName10", "cudnnName20",
    ]  # fmt: skip
    assert "3 findings at 3 places in this file" in group.message
    assert group.hours == sum(row.hours for row in group.members)
    alone = next(row for row in table.rows if row.symbol == "cudnnName30")
    assert (alone.members, alone.place.path) == ((), "src/nn/pool.cpp")
    assert (table.shown.total, table.grouped) == (len(assessment.findings), 3)


def test_a_group_shows_as_many_findings_as_there_is_room_for_and_counts_the_rest() -> None:
    page = view_page(make_assessment_with_a_replaced_library(), Limits(members=2))
    (group,) = (row for row in page.tables.findings.rows if row.members)
    assert (len(group.members), group.members_left) == (2, 1)
    assert page.tables.findings.shown.words == "showing 11 of 12; the rest is in the JSON"


def test_a_driver_leads_to_its_findings_and_names() -> None:
    page = view_page(make_assessment())
    warp = next(driver for driver in page.drivers if driver.id == "warp_site")
    rows = [row.anchor for row in page.tables.findings.rows if "warp_site" in row.drivers]
    names = [row.anchor for row in page.tables.apis if row.driver == "warp_site"]
    assert (warp.findings, warp.first_finding) == (len(rows), rows[0])
    assert (warp.names, warp.first_name) == (len(names), names[0])


def test_every_place_of_a_name_is_there_by_its_file() -> None:
    assessment = make_assessment()
    places = (("a.cu", 3), ("a.cu", 9), ("b.cu", 1))
    row = replace(assessment.apis[4], places=places, uses=5)
    shown = view_page(replace(assessment, apis=(row,))).tables.apis[0]
    assert [(one.path, one.lines) for one in shown.where] == [("a.cu", (3, 9)), ("b.cu", (1,))]
    assert (shown.places_shown, shown.places_left) == (3, 2)


def test_versions_that_disagree_stand_in_the_head() -> None:
    assessment = make_assessment()
    target = replace(assessment.target, cuda=None)
    mixed = "mixed: 8.0 (a/Dockerfile:1), 12.0 (b/Dockerfile:1)"
    page = view_page(replace(assessment, target=target, cuda_source=mixed))
    assert page.cuda == f"CUDA versions {mixed}"


def test_left_out_files_are_counted_over_folders() -> None:
    assessment = make_assessment()
    reason = "matched by no include pattern"
    skipped = (Skipped("a", f"1 file {reason}"), Skipped("b", f"12 files {reason}"))
    page = view_page(replace(assessment, skipped=skipped))
    assert page.skipped_reasons == ((reason, 13),)


def test_the_findings_of_a_rule_are_one_row_with_what_the_rule_says() -> None:
    tables = view_page(make_assessment_with_rules()).tables
    (row,) = (row for row in tables.findings.rows if row.rule == "HA-K012")
    assert [one.function for one in row.members] == ["block_reduce", "warp_scan_60", "warp_scan_61"]
    assert (row.more_sites, row.spread) == (4, "in 3 functions of 2 files")
    assert row.hours == sum(one.hours for one in row.members)
    assert row.told is not None
    assert row.told.before == ("v += __shfl_xor_sync(0xffffffff, v, 16);",)
    assert [one.url for one in row.told.evidence][1].startswith("https://github.com/ROCm/clr/")
    assert [one.fix for one in row.members] == ["", "", "Use the form without a mask here."]
    assert {one.message for one in row.members} == {"The mask here is 0xffffffff."}
    single = next(row for row in tables.findings.rows if row.rule == "HA-K003")
    assert (single.members, single.told is not None) == ((), True)


def test_what_is_possible_and_what_is_an_opportunity_stand_apart_and_are_not_counted() -> None:
    assessment = make_assessment_with_rules()
    page = view_page(assessment)
    tables = page.tables
    (possible,) = tables.possible.rows
    assert (possible.rule, len(possible.members)) == ("HA-K012", 2)
    assert [row.rule for row in tables.opportunities.rows] == ["HA-O001"]
    work = len(assessment.findings) - 3
    assert tables.findings.shown.total == sum(number for _, number in page.severities) == work
    (tile,) = (tile for tile in page.tiles if tile.title == "Findings")
    assert tile.value == str(work)
    assert tile.lines[1] == "beside: 2 possible, 1 note"
    by_rule = {row.rule: (row.findings, row.beside) for row in page.rules}
    assert by_rule["HA-K012"] == (3, 2)
    assert by_rule["HA-O001"] == (0, 1)
    (offer,) = (row for row in page.rules if row.rule == "HA-O001")
    assert offer.first == tables.opportunities.rows[0].anchor


def test_a_rule_shows_as_many_findings_as_there_is_room_for() -> None:
    page = view_page(make_assessment_with_rules(), Limits(of_rule=1))
    (row,) = (row for row in page.tables.findings.rows if row.members and row.told)
    assert (len(row.members), row.members_left) == (1, 2)
    assert page.tables.findings.shown.words.startswith("showing 9 of 11")


def test_work_that_a_fixed_price_holds_says_so_and_has_files_for_functions() -> None:
    ruled = make_assessment_with_rules()
    findings = tuple(
        replace(one, driver="ecosystem_fixed", hours=(0.0, 0.0, 0.0), function="")
        if one.rule == "HA-K012"
        else one
        for one in ruled.findings
    )
    tables = view_page(replace(ruled, findings=findings)).tables
    (row,) = (row for row in tables.findings.rows if row.rule == "HA-K012")
    assert (row.hours_words, row.spread) == ("in the fixed price", "in 2 files")
    assert {one.hours_words for one in row.members} == {"in the fixed price"}
