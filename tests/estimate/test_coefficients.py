"""The coefficient file and what a project may change in it."""

from __future__ import annotations

import dataclasses

import pytest

from migrate.errors import AssessError, ExitCode
from migrate.estimate import coefficients as module
from migrate.estimate.coefficients import load_coefficients
from migrate.estimate.drivers import LIBRARY_DRIVERS, SITE_DRIVERS
from migrate.knowledge.components import known_components
from migrate.model.effort import Scope, Strategy, Team
from migrate.model.verdict import Tier


def refused(overrides: dict[str, object]) -> AssessError:
    with pytest.raises(AssessError) as caught:
        load_coefficients(overrides)
    assert caught.value.slug == "effort-settings"
    assert caught.value.code is ExitCode.USAGE
    return caught.value


def test_shipped_file_prices_every_tier_with_a_reason() -> None:
    shipped = load_coefficients()
    assert {cost.tier for cost in shipped.drivers.values()} == set(Tier)
    assert all(cost.reason and cost.hours[0] > 0 for cost in shipped.drivers.values())
    assert set(shipped.scopes) == set(Scope)
    assert set(shipped.strategies) == set(Strategy)
    assert set(shipped.teams) == set(Team)
    assert shipped.overridden == ()


def test_shared_spread_ships_wider_than_it_was_fitted() -> None:
    assert load_coefficients().shared_sigma == 0.55


def test_site_and_library_drivers_are_priced() -> None:
    shipped = load_coefficients()
    assert {shipped.drivers[driver].per for driver in SITE_DRIVERS} == {"site"}
    assert set(LIBRARY_DRIVERS.values()) <= set(shipped.drivers)


def test_library_table_names_known_drivers_only() -> None:
    words = {
        word
        for library in known_components().values()
        for word in library.driver.split(";")
        if word
    }
    assert words <= set(LIBRARY_DRIVERS)


def test_override_replaces_one_value_and_says_so() -> None:
    own = load_coefficients(
        {"drivers": {"warp_site": {"hours": [0.1, 0.4, 1.5]}}, "model": {"small_code_kloc": 3}}
    )
    shipped = load_coefficients()
    assert own.drivers["warp_site"].hours == (0.1, 0.4, 1.5)
    assert own.drivers["warp_site"].full == shipped.drivers["warp_site"].full
    assert own.drivers["ptx_block"] == shipped.drivers["ptx_block"]
    assert own.overridden == ("drivers.warp_site.hours", "model.small_code_kloc")


def test_planner_chooses_between_prices() -> None:
    own = load_coefficients({"drivers": {"matrix_family": {"choice": "disable"}}})
    assert own.drivers["matrix_family"].hours == (4, 12, 24)
    assert own.drivers["matrix_family"].choice == "disable"


def test_damping_may_be_added_where_there_is_none() -> None:
    own = load_coefficients({"drivers": {"texture_site": {"full": 3, "rest": 0.5}}})
    assert own.effective("texture_site", 5, 9.0) == 4


def test_choice_without_price_is_refused() -> None:
    assert "disable, speed" in str(refused({"drivers": {"matrix_family": {"choice": "no"}}}))


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        ({"colour": 1}, "colour: no such key"),
        ({"drivers": {"spaceship": {"hours": [1, 2, 3]}}}, "drivers.spaceship: no such key"),
        ({"drivers": {"warp_site": {"price": 1}}}, "drivers.warp_site.price: no such key"),
        ({"drivers": {"warp_site": {"tier": "interface"}}}, "tier: cannot be changed"),
        ({"drivers": {"warp_site": 3}}, "drivers.warp_site: a table is needed, not 3"),
        ({"drivers": {"warp_site": {"hours": [3, 2, 1]}}}, "three hours in rising order"),
        ({"drivers": {"warp_site": {"hours": [1, 2]}}}, "three hours in rising order"),
        ({"drivers": {"warp_site": {"hours": [-1, 2, 3]}}}, "three hours in rising order"),
        ({"drivers": {"warp_site": {"hours": "1 2 3"}}}, "three hours in rising order"),
        ({"drivers": {"warp_site": {"hours": [0, 1, float("inf")]}}}, "three hours"),
        ({"drivers": {"warp_site": {"hours": [False, 1, 2]}}}, "three hours in rising order"),
        ({"drivers": {"warp_site": {"rest": 1.5}}}, "a number 0 to 1 is needed, not 1.5"),
        ({"drivers": {"warp_site": {"title": ""}}}, "title: a text is needed"),
        ({"model": {"shared_sigma": True}}, "model.shared_sigma: a number 0 to 3"),
        ({"model": {"shared_sigma": float("nan")}}, "model.shared_sigma"),
        ({"model": {"shared_sigma": 10**400}}, "model.shared_sigma"),
        ({"model": {"small_code_kloc": 0}}, "a number above 0 is needed, not 0"),
        ({"model": {"tier_sigma": {"kernel": -1}}}, "model.tier_sigma.kernel: a number 0 to 3"),
        ({"team": {"gpu": {"factor": "fast"}}}, "team.gpu.factor: a number above 0"),
        ({"team": {"expert-agent": {"scopes": ["moon"]}}}, "team.expert-agent.scopes: a list out"),
        ({"team": {"expert-agent": {"scopes": []}}}, "team.expert-agent.scopes: a list out"),
        ({"scope": {"production": {"tuning": 1}}}, "cannot be changed"),
    ],
)
def test_wrong_override_is_told_with_its_path(overrides: dict[str, object], told: str) -> None:
    assert told in str(refused(overrides))


def test_all_wrong_overrides_are_told_at_once() -> None:
    message = str(refused({"model": {"shared_sigma": -1, "x": 1}, "as_of": "2030"}))
    assert message.count("\n  - ") == 3


def test_flag_and_table_of_a_broken_file_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = dict(module._shipped())
    broken["drivers"] = {"warp_site": {"fixed": "yes"}}
    del broken["strategy"]
    monkeypatch.setattr(module, "_shipped", lambda: broken)
    message = str(refused({}))
    assert "drivers.warp_site.fixed: true or false is needed" in message
    assert "strategy: a table is needed" in message


def test_coefficients_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_coefficients().as_of = "2030"  # type: ignore[misc]
