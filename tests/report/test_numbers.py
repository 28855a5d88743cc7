"""The one home of rounding: what a reader and a program see of a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.report.numbers import (
    count,
    json_number,
    json_share,
    percent,
    plural,
    share,
    significant,
)

_ODD_FRACTIONS = st.floats(min_value=0, max_value=1, exclude_min=True, exclude_max=True)


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.00001, "< 0.1 %"),
        (0.99999, "> 99.9 %"),
        (0.0226, "2.3 %"),
        (0.0999, "10 %"),
        (0.5, "50 %"),
        (0.9949, "99.5 %"),
    ],
)
def test_a_percentage_reads_as_its_size_deserves(fraction: float, shown: str) -> None:
    assert percent(fraction) == shown


@pytest.mark.property
@given(_ODD_FRACTIONS)
def test_hundred_and_zero_percent_stand_for_all_and_nothing_only(fraction: float) -> None:
    assert percent(fraction) not in {"0 %", "100 %", "0.0 %", "100.0 %"}


@pytest.mark.property
@given(_ODD_FRACTIONS)
def test_a_share_in_the_json_is_whole_only_when_nothing_is_left(fraction: float) -> None:
    assert 0 < json_share(fraction) < 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.00001, "< 0.001"),
        (0.96, "0.96"),
        (0.5, "0.5"),
        (1.88, "1.9"),
        (3.0, "3.0"),
        (9.97, "10"),
        (12.04, "12"),
        (123.4, "120"),
        (1234, "1,200"),
    ],
)
def test_an_estimate_shows_two_significant_digits(value: float, shown: str) -> None:
    assert significant(value) == shown


def test_counts_have_separators_and_nouns_a_number() -> None:
    assert (count(1234), count(23.64), plural(1, "file"), plural(1200, "file")) == (
        "1,234",
        "23.6",
        "1 file",
        "1,200 files",
    )


def test_a_share_of_nothing_is_nothing() -> None:
    assert share(0, 0) == 0.0


def test_the_json_never_carries_a_negative_zero_or_float_noise() -> None:
    assert str(json_number(-0.0)) == "0.0"
    assert json_number(0.1 + 0.2) == 0.3
