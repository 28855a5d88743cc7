"""Findings' own hours: they add up to their driver, and never beyond it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.estimate.coefficients import load_coefficients
from migrate.estimate.drivers import SITE_DRIVERS
from migrate.estimate.effort import estimate_effort
from migrate.estimate.shares import carries_effort, count_sites, share_hours, unit_hours
from migrate.model.effort import Scope, Strategy, Team
from migrate.model.finding import Finding, Site
from migrate.model.verdict import Confidence, SeenBy, Severity, State, Tier, Verdict

SHIPPED = load_coefficients()
LINES = count(1)
"""Every site of a test stands on a line of its own: one line is one edit."""


def finding(
    driver: str,
    sites: int = 1,
    *,
    symbol: str = "x",
    function: str = "f",
    state: State = State.ACTIVE,
    severity: Severity = Severity.MAJOR,
) -> Finding:
    places = tuple(
        Site(path="a.cu", line=next(LINES), end_line=1, column=1, fingerprint="0")
        for _ in range(sites)
    )
    return Finding(
        id=f"{symbol}/{function}",
        rule="HA-V001",
        tier=Tier.KERNEL,
        verdict=Verdict.CHANGED,
        severity=severity,
        confidence=Confidence.CERTAIN,
        state=state,
        archs=(),
        symbol=symbol,
        hip="",
        function=function,
        message="",
        fix="",
        driver=driver,
        hours=(0.0, 0.0, 0.0),
        seen_by=SeenBy.TREE,
        sites=places,
    )


def driver_hours(driver: str, n: float, kloc: float = 9.0) -> tuple[float, float, float]:
    effort = estimate_effort(
        {driver: n},
        kloc=kloc,
        scope=Scope.PRODUCTION,
        strategy=Strategy.HIPIFY,
        team=Team.GPU,
        coefficients=SHIPPED,
    )
    return effort.drivers[0].hours


def total(findings: tuple[Finding, ...]) -> list[float]:
    return [sum(each.hours[column] for each in findings) for column in range(3)]


def test_sites_share_their_driver_after_damping() -> None:
    shared = share_hours(
        [finding("semantic_site", 3), finding("semantic_site", 9)],
        {"semantic_site": 12},
        9,
        SHIPPED,
    )
    assert total(shared) == pytest.approx(driver_hours("semantic_site", 12))
    assert shared[1].hours[1] == pytest.approx(3 * shared[0].hours[1])


def test_places_without_finding_keep_their_part() -> None:
    (only,) = share_hours([finding("warp_site", 5)], {"warp_site": 20}, 9, SHIPPED)
    assert only.hours == pytest.approx([hours / 4 for hours in driver_hours("warp_site", 20)])


def test_findings_of_one_api_share_one_unit() -> None:
    shared = share_hours(
        [
            finding("missing_api", 1, symbol="cudaA", function="f"),
            finding("missing_api", 3, symbol="cudaA", function="g"),
            finding("missing_api", 1, symbol="cudaB"),
        ],
        {"missing_api": 2},
        9,
        SHIPPED,
    )
    assert [each.hours for each in shared] == [(0.25, 1.5, 6), (0.75, 4.5, 18), (1, 6, 24)]


def test_names_of_one_library_share_its_price() -> None:
    names = ("cudnnCreate", "cudnnDestroy", "cudnnConvolutionForward")
    shared = share_hours(
        [finding("partial_library", symbol=name) for name in names],
        {"partial_library": 1},
        9,
        SHIPPED,
    )
    assert total(shared) == pytest.approx([12, 40, 120])


def test_caller_may_say_what_a_unit_is() -> None:
    findings = [
        finding("partial_library", 9, symbol="cudnnCreate"),
        finding("partial_library", 1, symbol="nvmlInit"),
    ]
    shared = share_hours(
        findings, {"partial_library": 3}, 9, SHIPPED, unit=lambda each, _: each.symbol[:4]
    )
    assert [each.hours for each in shared] == [(12, 40, 120), (12, 40, 120)]


def test_a_finding_whose_lines_another_has_names_its_rule() -> None:
    first = finding("warp_site", 2)
    beside = replace(first, rule="HA-K031")
    partly = replace(first, rule="HA-K033", sites=(*first.sites, *finding("warp_site").sites))
    shared = share_hours([first, beside, partly], {"warp_site": 3}, 9, SHIPPED)
    assert [each.priced_with for each in shared] == ["", "HA-V001", ""]
    assert [bool(each.hours[1]) for each in shared] == [True, False, True]


def test_matrix_kernel_is_one_unit_a_function() -> None:
    shared = share_hours(
        [
            finding("matrix_kernel", 4, symbol="nvcuda::wmma::mma_sync"),
            finding("matrix_kernel", 4, symbol="nvcuda::wmma::fragment"),
        ],
        {"matrix_kernel": 1},
        9,
        SHIPPED,
    )
    assert [each.hours for each in shared] == [(4, 12, 40), (4, 12, 40)]


@pytest.mark.parametrize(
    "idle",
    [
        finding("warp_site", state=State.PORTED),
        finding("warp_site", state=State.VENDORED),
        finding("warp_site", state=State.HIP),
        finding("warp_site", severity=Severity.INFO),
        finding(""),
    ],
    ids=["ported", "vendored", "hip", "info", "no driver"],
)
def test_finding_that_is_no_work_has_no_hours(idle: Finding) -> None:
    assert not carries_effort(idle)
    assert count_sites([idle]) == dict.fromkeys(SITE_DRIVERS, 0)
    assert share_hours([idle], {}, 9, SHIPPED) == (idle,)


def test_sites_are_counted_for_site_drivers_only() -> None:
    found = [finding("warp_site", 2), finding("warp_site", 3), finding("missing_api", 7)]
    assert count_sites(found)["warp_site"] == 5
    assert "missing_api" not in count_sites(found)


def test_fixed_costs_belong_to_no_finding() -> None:
    (only,) = share_hours([finding("ecosystem_fixed")], {"ecosystem_fixed": 1}, 9, SHIPPED)
    assert only.hours == (0, 0, 0)


def test_a_line_with_two_problems_of_one_driver_is_one_edit() -> None:
    mask = finding("warp_site", 2)
    width = replace(finding("warp_site", 1), sites=mask.sites[1:])
    counts = count_sites([mask, width])
    assert counts["warp_site"] == 2
    shared = share_hours([mask, width], counts, 9, SHIPPED)
    assert shared[1].hours == (0, 0, 0)
    assert total(shared) == pytest.approx(driver_hours("warp_site", 2))


def test_hazards_of_one_kind_share_one_unit() -> None:
    found = [replace(finding("hazard_kind", symbol=name), kind="texture") for name in "ab"]
    assert total(share_hours(found, {"hazard_kind": 1}, 9, SHIPPED)) == pytest.approx(
        driver_hours("hazard_kind", 1)
    )


def test_a_mere_possibility_is_no_work() -> None:
    possible = replace(finding("warp_site"), confidence=Confidence.POSSIBLE)
    assert not carries_effort(possible)
    assert carries_effort(replace(possible, rule="HA-API"))


def test_more_sites_than_were_counted_are_refused() -> None:
    with pytest.raises(ValueError, match="warp_site"):
        share_hours([finding("warp_site", 3)], {"warp_site": 2}, 9, SHIPPED)


def test_unit_hours_of_a_driver_not_met_are_zero() -> None:
    assert unit_hours("warp_site", {}, 9, SHIPPED) == (0, 0, 0)


def test_unit_hours_are_the_price_where_nothing_is_damped() -> None:
    assert unit_hours("direct_reference", {"direct_reference": 650}, 9, SHIPPED) == pytest.approx(
        (0.003, 0.01, 0.04)
    )


findings_of = st.lists(
    st.builds(
        finding,
        driver=st.sampled_from([*SITE_DRIVERS, "missing_api", "partial_library", "hazard_kind"]),
        sites=st.integers(1, 40),
        symbol=st.sampled_from("abcde"),
        state=st.sampled_from([State.ACTIVE, State.ACTIVE, State.PORTED]),
    ),
    max_size=30,
)


def counted(findings: list[Finding]) -> dict[str, float]:
    names = {
        (each.driver, "other" if each.driver == "hazard_kind" else each.symbol)
        for each in findings
        if carries_effort(each)
    }
    units = Counter(driver for driver, _ in names if driver not in SITE_DRIVERS)
    return {**count_sites(findings), **units}


@pytest.mark.property
@given(findings=findings_of)
def test_findings_add_up_to_their_drivers(findings: list[Finding]) -> None:
    counts = counted(findings)
    shared = share_hours(findings, counts, 9.0, SHIPPED)
    for driver, n in counts.items():
        own = tuple(each for each in shared if each.driver == driver)
        expected = driver_hours(driver, n) if n else (0.0, 0.0, 0.0)
        assert total(own) == pytest.approx(expected)


@pytest.mark.property
@given(findings=findings_of, units=st.integers(1, 3))
def test_findings_never_hold_more_than_their_driver(findings: list[Finding], units: int) -> None:
    counts = counted(findings) | {"partial_library": units, "missing_api": units}
    shared = share_hours(findings, counts, 9.0, SHIPPED)
    for driver in ("partial_library", "missing_api"):
        own = total(tuple(each for each in shared if each.driver == driver))
        bounds = driver_hours(driver, units)
        assert all(have <= most + 1e-9 for have, most in zip(own, bounds, strict=True))


@pytest.mark.property
@given(findings=findings_of)
def test_sharing_changes_nothing_but_hours(findings: list[Finding]) -> None:
    shared = share_hours(findings, counted(findings), 9.0, SHIPPED)
    assert [(each.id, each.driver, each.sites) for each in shared] == [
        (each.id, each.driver, each.sites) for each in findings
    ]


def test_a_finding_whose_unit_was_not_counted_takes_nothing_from_those_that_were() -> None:
    asked = finding("partial_library", 1, symbol="NVML")
    pinned = finding("partial_library", 1, symbol="DALI")
    counted_one, uncounted = share_hours(
        [asked, pinned],
        {"partial_library": 1},
        9,
        SHIPPED,
        unit=lambda found, _: found.symbol if found.symbol == "NVML" else "",
    )
    assert counted_one.hours == pytest.approx(driver_hours("partial_library", 1))
    assert uncounted.hours == (0.0, 0.0, 0.0)
