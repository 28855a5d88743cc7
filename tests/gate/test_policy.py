"""The gate: limits, what is printed, and which exit code wins."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.errors import AssessError, ExitCode
from migrate.gate.figures import GateFigures
from migrate.gate.offenders import Offender, Offenders
from migrate.gate.policy import GatePolicy, check_gate

FIGURES = GateFigures(
    target="ROCm 7.2 on gfx942",
    share=0.25,
    uses=400,
    weeks=12.03,
    effort_for="scope production, strategy hipify, team gpu",
    complete=True,
)


def shown(lines: tuple[str, ...], line: int = 1) -> tuple[Decimal, Decimal]:
    """The measured figure and the limit of a printed condition."""
    numbers = re.findall(r"(?:use|P50|limit) ([0-9.E+-]+)", lines[line])
    return Decimal(numbers[0]), Decimal(numbers[1])


def test_gate_without_condition_is_refused() -> None:
    with pytest.raises(AssessError, match="no condition") as caught:
        GatePolicy()
    assert caught.value.slug == "gate-condition"
    assert caught.value.code is ExitCode.USAGE


@pytest.mark.parametrize("limit", [-0.1, 1.01, 30.0, math.nan, math.inf])
def test_share_that_is_no_fraction_is_refused(limit: float) -> None:
    with pytest.raises(AssessError, match="fraction from 0 to 1"):
        GatePolicy(max_cuda_only=limit)


@pytest.mark.parametrize("limit", [-1.0, math.nan, math.inf])
def test_weeks_that_are_no_number_are_refused(limit: float) -> None:
    with pytest.raises(AssessError, match="person-weeks"):
        GatePolicy(max_weeks=limit)


def test_every_condition_stands_with_figure_and_limit() -> None:
    result = check_gate(FIGURES, GatePolicy(0.3, 10))
    assert "\n".join(result.lines) == (
        "Target: ROCm 7.2 on gfx942\n"
        "pass: CUDA-only share by use 25.0 %, limit 30 % (400 active uses)\n"
        "FAIL: total effort P50 12.0 person-weeks, limit 10 "
        "(scope production, strategy hipify, team gpu)\n"
        "Gate: failed"
    )
    assert (result.passed, result.code) == (False, ExitCode.GATE_FAILED)


def test_how_old_the_tables_are_is_said_below_the_target() -> None:
    lines = check_gate(replace(FIGURES, tables="2024-10 to 2026-11"), GatePolicy(0.3)).lines
    assert lines[1] == "Tables: 2024-10 to 2026-11"


def test_what_failed_names_its_offenders_and_what_passed_does_not() -> None:
    offenders = Offenders(
        (Offender("cudaX", "missing, 3 uses", "a.cu:4"),),
        (Offender("cudaY", "changed, 9 hours", ""),),
    )
    figures = replace(FIGURES, offenders=offenders)
    named = [
        [line for line in check_gate(figures, policy).lines if line.startswith("  ")]
        for policy in (GatePolicy(0.1, 99), GatePolicy(0.9, 1), GatePolicy(0.9, 99))
    ]
    assert named == [
        ["  cudaX: missing, 3 uses, first at a.cu:4"],
        ["  cudaY: changed, 9 hours"],
        [],
    ]


def test_all_conditions_kept_passes() -> None:
    result = check_gate(FIGURES, GatePolicy(0.25, 12.03))
    assert (result.passed, result.code) == (True, ExitCode.OK)
    assert result.lines[-1] == "Gate: passed"


def test_share_equal_to_its_limit_passes() -> None:
    assert check_gate(replace(FIGURES, share=0.3), GatePolicy(max_cuda_only=0.3)).passed


def test_share_a_hair_over_its_limit_fails_and_shows_it() -> None:
    result = check_gate(replace(FIGURES, share=0.30004), GatePolicy(max_cuda_only=0.3))
    assert not result.passed
    assert "30.004 %, limit 30 %" in result.lines[1]


def test_share_is_shown_as_zero_or_hundred_only_where_it_is() -> None:
    def text(share: float) -> str:
        return check_gate(replace(FIGURES, share=share), GatePolicy(max_cuda_only=1)).lines[1]

    assert "use 0.0 %" in text(0)
    assert "use 0.001 %" in text(0.00001)
    assert "use 99.999 %" in text(0.99999)
    assert "use 100.0 %" in text(1)


def test_share_beyond_all_digits_is_shown_whole() -> None:
    result = check_gate(replace(FIGURES, share=1e-30), GatePolicy(max_cuda_only=0))
    assert "use 1E-28 %, limit 0 %" in result.lines[1]


def test_weeks_over_hundred_may_round_to_hundred() -> None:
    result = check_gate(replace(FIGURES, weeks=100.0004), GatePolicy(max_weeks=120))
    assert "P50 100.0 person-weeks" in result.lines[1]


@pytest.mark.parametrize("limit", [0.1, 0.9])
def test_incomplete_wins_over_failed_and_passed(limit: float) -> None:
    result = check_gate(replace(FIGURES, complete=False), GatePolicy(max_cuda_only=limit))
    assert result.code is ExitCode.INCOMPLETE
    assert "incomplete" in result.lines[-1]


def test_tree_without_use_passes_the_strictest_gate() -> None:
    nothing = replace(FIGURES, share=0.0, uses=0, weeks=0.0)
    assert check_gate(nothing, GatePolicy(0, 0)).passed


fractions = st.floats(0, 1)
weeks = st.floats(0, 1e300)


@pytest.mark.property
@given(share=fractions, limit=fractions, looser=fractions)
def test_looser_gate_never_turns_pass_to_fail(share: float, limit: float, looser: float) -> None:
    figures = replace(FIGURES, share=share)
    if check_gate(figures, GatePolicy(max_cuda_only=min(limit, looser))).passed:
        assert check_gate(figures, GatePolicy(max_cuda_only=max(limit, looser))).passed


@pytest.mark.property
@given(share=fractions, limit=fractions)
def test_printed_share_never_contradicts_the_result(share: float, limit: float) -> None:
    result = check_gate(replace(FIGURES, share=share), GatePolicy(max_cuda_only=limit))
    measured, bound = shown(result.lines)
    assert (measured <= bound) == result.passed


@pytest.mark.property
@given(limit=st.floats(0, 1, exclude_max=True))
def test_printed_neighbours_of_a_limit_never_contradict(limit: float) -> None:
    for share in (limit, math.nextafter(limit, 1)):
        result = check_gate(replace(FIGURES, share=share), GatePolicy(max_cuda_only=limit))
        measured, bound = shown(result.lines)
        assert (measured <= bound) == result.passed == (share <= limit)


@pytest.mark.property
@given(measured=weeks, limit=weeks)
def test_printed_weeks_never_contradict_the_result(measured: float, limit: float) -> None:
    result = check_gate(replace(FIGURES, weeks=measured), GatePolicy(max_weeks=limit))
    figure, bound = shown(result.lines)
    assert (figure <= bound) == result.passed
