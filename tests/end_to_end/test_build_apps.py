"""An application each for Bazel, Meson and autotools against what was worked out by hand."""

from __future__ import annotations

import csv
from collections import Counter
from typing import Any

import pytest

from migrate.model.identity import NAME_RULES
from tests.end_to_end.command import CHECKOUT, FIXTURES, result_of

pytestmark = pytest.mark.end_to_end

SYSTEMS = {"bazel_app": "bazel", "meson_app": "meson", "autotools_app": "autotools"}


def expected(table: str, app: str) -> list[dict[str, str]]:
    """The rows of an app in one of the expected tables."""
    place = CHECKOUT / "tests" / "fixtures_expected" / table
    with place.open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["app"] == app]


def document(app: str) -> dict[str, Any]:
    return result_of(FIXTURES / app)


@pytest.mark.parametrize("app", SYSTEMS)
def test_the_places_are_those_worked_out_by_hand(app: str) -> None:
    want = Counter(
        (row["path"], int(row["line"]), row["rule"]) for row in expected("rules.csv", app)
    )
    got = Counter(
        (site["path"], site["line"], finding["rule"])
        for finding in document(app)["findings"]
        if finding["rule"] not in NAME_RULES
        for site in finding["sites"]
    )
    assert (want - got, got - want) == (Counter(), Counter())


@pytest.mark.parametrize("app", SYSTEMS)
def test_the_components_are_those_worked_out_by_hand(app: str) -> None:
    want = [(row["name"], row["verdict"], row["use"]) for row in expected("components.csv", app)]
    got = [(row["name"], row["verdict"], row["use"]) for row in document(app)["components"]]
    assert sorted(got) == sorted(want)


@pytest.mark.parametrize("app", SYSTEMS)
def test_the_build_system_is_told(app: str) -> None:
    assert document(app)["project"]["build"] == [SYSTEMS[app]]
