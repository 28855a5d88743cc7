"""The estimate: regression values, the closed form against draws, and what must never happen."""

from __future__ import annotations

import math
import random
from dataclasses import astuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from migrate.errors import AssessError
from migrate.estimate.coefficients import Coefficients, load_coefficients
from migrate.estimate.effort import estimate_effort
from migrate.model.effort import Effort, Range, Scope, Strategy, Team
from migrate.model.verdict import Tier

SHIPPED = load_coefficients()
FITTED = load_coefficients({"model": {"shared_sigma": 0.45}})

# A mid-size code that the model was checked with: about 90 kLOC, 15 of them touching CUDA.
TYPICAL = {
    "interface_fixed": 1,
    "direct_reference": 650,
    "semantic_site": 12,
    "missing_api": 2,
    "gpu_kloc": 9,
    "translation_unit": 70,
    "kernel_fixed": 1,
    "hazard_kind": 3,
    "warp_site": 20,
    "texture_site": 1,
    "kernel_validated": 80,
    "hot_kernel": 5,
    "ecosystem_fixed": 1,
    "build_system": 1,
    "drop_in_library": 3,
    "partial_library": 1,
    "test_file": 60,
    "test_triage": 1,
    "profiler": 1,
    "communication": 1,
    "package": 1,
}
HELLO_WORLD = {
    "interface_fixed": 1,
    "direct_reference": 12,
    "gpu_kloc": 0.05,
    "translation_unit": 1,
    "kernel_fixed": 1,
    "kernel_validated": 1,
    "hot_kernel": 1,
    "ecosystem_fixed": 1,
    "build_system": 1,
    "test_triage": 1,
}


def estimate(
    counts: dict[str, float] | dict[str, int],
    *,
    kloc: float = 9.0,
    scope: Scope = Scope.PRODUCTION,
    strategy: Strategy = Strategy.HIPIFY,
    team: Team = Team.GPU,
    coefficients: Coefficients = FITTED,
) -> Effort:
    return estimate_effort(
        dict(counts),
        kloc=kloc,
        scope=scope,
        strategy=strategy,
        team=team,
        coefficients=coefficients,
    )


def numbers(weeks: Range) -> tuple[float, float, float]:
    return (weeks.p10, weeks.p50, weeks.p90)


def test_typical_code_gives_the_regression_values_per_tier() -> None:
    effort = estimate(TYPICAL)
    assert numbers(effort.interface) == pytest.approx((0.96, 1.88, 3.67), rel=0.005)
    assert numbers(effort.kernel) == pytest.approx((1.53, 3.34, 7.28), rel=0.005)
    assert numbers(effort.ecosystem) == pytest.approx((3.14, 6.41, 13.07), rel=0.005)


def test_typical_code_gives_the_regression_values_in_total() -> None:
    assert numbers(estimate(TYPICAL).total) == pytest.approx((6.3, 12.0, 23.2), rel=0.02)


def test_hours_of_the_typical_code_stand_in_the_drivers() -> None:
    hours = [driver.hours for driver in estimate(TYPICAL).drivers]
    weeks = [sum(column) / 40 for column in zip(*hours, strict=True)]
    assert weeks == pytest.approx([2.9, 9.4, 30.2], abs=0.05)


def test_hello_world_is_a_day_to_run_and_a_week_to_ship() -> None:
    effort = estimate(HELLO_WORLD, kloc=0.05, coefficients=SHIPPED)
    assert effort.total.p50 * 40 <= 40
    assert effort.first_run.p50 * 40 <= 8


def test_fixed_costs_are_whole_from_two_kloc_on() -> None:
    fixed = {"interface_fixed": 1, "ecosystem_fixed": 1}
    assert estimate(fixed, kloc=2.0).total == estimate(fixed, kloc=900.0).total
    assert estimate(fixed, kloc=1.0).total.p50 == pytest.approx(
        estimate(fixed, kloc=2.0).total.p50 / 2
    )


def test_nothing_to_port_costs_nothing() -> None:
    effort = estimate({}, kloc=3.0)
    assert effort.total == effort.first_run == effort.kernel == Range(0, 0, 0)
    assert effort.drivers == ()


def test_only_scopes_with_tuning_count_hot_kernels() -> None:
    ids = {
        scope: {driver.id for driver in estimate(TYPICAL, scope=scope).drivers} for scope in Scope
    }
    assert ids[Scope.PRODUCTION] - ids[Scope.TESTS_PASS] == {"hot_kernel"}
    assert ids[Scope.TESTS_PASS] == ids[Scope.FIRST_RUN]


def test_first_run_beside_is_the_total_of_that_scope() -> None:
    for scope in Scope:
        effort = estimate(TYPICAL, scope=scope)
        assert effort.first_run == estimate(TYPICAL, scope=Scope.FIRST_RUN).total


def test_repeats_are_damped() -> None:
    (driver,) = estimate({"semantic_site": 12}).drivers
    assert driver.n == 12
    assert driver.n_effective == pytest.approx(10.3)
    assert driver.hours == pytest.approx((2.06, 10.3, 41.2))


def test_test_files_are_capped() -> None:
    assert estimate({"test_file": 150}).total == estimate({"test_file": 9000}).total


def test_agent_team_has_no_estimate_for_production() -> None:
    with pytest.raises(AssessError, match="expert-agent") as caught:
        estimate(TYPICAL, team=Team.AGENT)
    assert caught.value.slug == "effort-settings"
    assert estimate(TYPICAL, team=Team.AGENT, scope=Scope.TESTS_PASS).total.p50 > 0


@pytest.mark.parametrize("n", [-1.0, math.nan, math.inf])
def test_impossible_count_is_refused(n: float) -> None:
    with pytest.raises(ValueError, match="warp_site"):
        estimate({"warp_site": n})


def test_unknown_driver_is_refused() -> None:
    with pytest.raises(ValueError, match="spaceship"):
        estimate({"spaceship": 1})


# ------------------------------------------------------------------ the closed form against draws


def drawn(effort: Effort, coefficients: Coefficients, draws: int) -> list[tuple[float, ...]]:
    """P10, P50, P90 of each tier and of the total by drawing every unit cost, in person-weeks."""
    rng = random.Random(20260701)

    def pert(hours: tuple[float, float, float]) -> float:
        o, m, p = hours
        return o + (p - o) * rng.betavariate(1 + 4 * (m - o) / (p - o), 1 + 4 * (p - m) / (p - o))

    columns: list[list[float]] = [[], [], [], []]
    for _ in range(draws):
        shared = math.exp(rng.gauss(0, coefficients.shared_sigma))
        tiers = [
            shared
            * math.exp(rng.gauss(0, coefficients.tier_sigma[tier]))
            * sum(pert(driver.hours) for driver in effort.drivers if driver.tier is tier)
            / 40
            for tier in Tier
        ]
        for column, weeks in zip(columns, [*tiers, sum(tiers)], strict=True):
            column.append(weeks)
    return [tuple(sorted(column)[int(draws * q)] for q in (0.1, 0.5, 0.9)) for column in columns]


@pytest.mark.slow
@pytest.mark.parametrize("coefficients", [FITTED, SHIPPED], ids=["fitted", "shipped"])
@pytest.mark.parametrize(
    ("counts", "near"),
    # A single driver's PERT range is no lognormal: where one rules a tier, its P10 strays most.
    [(TYPICAL, 0.03), (TYPICAL | {"matrix_family": 2}, 0.08)],
    ids=["typical", "matrix cores rule"],
)
def test_closed_form_agrees_with_draws(
    counts: dict[str, float], near: float, coefficients: Coefficients
) -> None:
    effort = estimate(counts, coefficients=coefficients)
    ranges = (effort.interface, effort.kernel, effort.ecosystem, effort.total)
    for closed, sampled in zip(ranges, drawn(effort, coefficients, 20_000), strict=True):
        # 20,000 draws stray by 2 % in the tails.
        assert numbers(closed) == pytest.approx(sampled, rel=near)


# ------------------------------------------------------------------------------------- properties

counts_of = st.dictionaries(
    st.sampled_from(sorted(SHIPPED.drivers)),
    st.one_of(st.integers(0, 5_000), st.floats(0.001, 5_000)),
    max_size=12,
)
sizes = st.floats(0, 500)
scopes, ways = st.sampled_from(Scope), st.sampled_from(Strategy)
teams = st.sampled_from([Team.NEW, Team.GPU, Team.ROCM])


def not_below(more: Range, less: Range) -> bool:
    """At least as much, but for the last digits of floating point."""
    pairs = zip(numbers(more), numbers(less), strict=True)
    return all(high >= low * (1 - 1e-12) for high, low in pairs)


@pytest.mark.property
@given(counts=counts_of, driver=st.sampled_from(sorted(SHIPPED.drivers)), kloc=sizes, scope=scopes)
def test_one_more_never_lowers_effort(
    counts: dict[str, float], driver: str, kloc: float, scope: Scope
) -> None:
    less = estimate(counts, kloc=kloc, scope=scope, coefficients=SHIPPED)
    more = estimate(
        counts | {driver: counts.get(driver, 0) + 1}, kloc=kloc, scope=scope, coefficients=SHIPPED
    )
    for before, after in (
        (less.interface, more.interface),
        (less.kernel, more.kernel),
        (less.ecosystem, more.ecosystem),
        (less.total, more.total),
        (less.first_run, more.first_run),
    ):
        assert not_below(after, before)


@pytest.mark.property
@given(counts=counts_of, kloc=sizes, scope=scopes, way=ways, team=teams)
def test_percentiles_are_ordered(
    counts: dict[str, float], kloc: float, scope: Scope, way: Strategy, team: Team
) -> None:
    effort = estimate(counts, kloc=kloc, scope=scope, strategy=way, team=team)
    for weeks in (effort.interface, effort.kernel, effort.ecosystem, effort.total):
        assert 0 <= weeks.p10 <= weeks.p50 <= weeks.p90


@pytest.mark.property
@given(counts=counts_of, kloc=sizes, way=ways, team=teams)
def test_wider_scope_never_costs_less(
    counts: dict[str, float], kloc: float, way: Strategy, team: Team
) -> None:
    first, tests, production = (
        estimate(counts, kloc=kloc, scope=scope, strategy=way, team=team)
        for scope in (Scope.FIRST_RUN, Scope.TESTS_PASS, Scope.PRODUCTION)
    )
    assert not_below(tests.total, first.total)
    assert not_below(production.total, tests.total)


@pytest.mark.property
@given(counts=counts_of, kloc=sizes, team=teams)
def test_team_factor_scales_the_total(counts: dict[str, float], kloc: float, team: Team) -> None:
    factor = SHIPPED.teams[team].factor
    usual = estimate(counts, kloc=kloc, team=Team.GPU)
    assert numbers(estimate(counts, kloc=kloc, team=team).total) == pytest.approx(
        [factor * weeks for weeks in numbers(usual.total)]
    )


@pytest.mark.property
@given(counts=counts_of, kloc=sizes)
def test_drivers_are_in_file_order_and_none_is_empty(counts: dict[str, float], kloc: float) -> None:
    drivers = estimate(counts, kloc=kloc).drivers
    order = list(SHIPPED.drivers)
    assert [driver.id for driver in drivers] == sorted(
        (driver.id for driver in drivers), key=order.index
    )
    assert all(driver.n > 0 for driver in drivers)


@pytest.mark.property
@settings(max_examples=50)
@given(counts=counts_of, kloc=sizes)
def test_total_median_lies_between_its_parts(counts: dict[str, float], kloc: float) -> None:
    effort = estimate(counts, kloc=kloc)
    tiers = [effort.interface.p50, effort.kernel.p50, effort.ecosystem.p50]
    assume(sum(tiers) > 0)
    assert max(tiers) * 0.999 <= effort.total.p50 <= sum(tiers) * 1.2


def test_estimate_depends_on_nothing_but_its_input() -> None:
    backwards = dict(reversed(TYPICAL.items()))
    assert astuple(estimate(backwards)) == astuple(estimate(TYPICAL))
