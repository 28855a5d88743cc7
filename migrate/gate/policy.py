"""The limits of a gate, and whether the figures keep them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from migrate.errors import AssessError, ExitCode
from migrate.gate.figures import GateFigures
from migrate.gate.offenders import Offender

_PERCENT = Decimal(100)
_MOST_DIGITS = 12


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """The conditions of a gate; a figure that equals its limit keeps it.

    ``max_cuda_only`` is the most CUDA-only share by use, a fraction; ``max_weeks`` the most P50 of
    the total effort in person-weeks. ``None``: no such condition.

    Raises:
        AssessError: there is no condition, or a limit that no figure can meet or miss.
    """

    max_cuda_only: float | None = None
    max_weeks: float | None = None

    def __post_init__(self) -> None:
        if self.max_cuda_only is None and self.max_weeks is None:
            raise AssessError(
                "this gate has no condition",
                slug="gate-condition",
                hint="Give --max-cuda-only 30% or --max-weeks 20, or set them in the settings.",
            )
        if self.max_cuda_only is not None and not 0 <= self.max_cuda_only <= 1:
            raise AssessError(
                f"the most CUDA-only share is a fraction from 0 to 1, not {self.max_cuda_only}",
                slug="gate-condition",
            )
        if self.max_weeks is not None and not (
            math.isfinite(self.max_weeks) and self.max_weeks >= 0
        ):
            raise AssessError(
                f"the most person-weeks are a number of 0 or more, not {self.max_weeks}",
                slug="gate-condition",
            )


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether all conditions hold, what to print, and the exit code (incomplete wins)."""

    passed: bool
    lines: tuple[str, ...]
    code: ExitCode


def check_gate(figures: GateFigures, policy: GatePolicy) -> GateResult:
    """Compare the unrounded figures with the limits."""
    lines = [f"Target: {figures.target}"]
    lines += [f"Tables: {figures.tables}"] if figures.tables else []
    passed = True
    if policy.max_cuda_only is not None:
        kept = figures.share <= policy.max_cuda_only
        passed = passed and kept
        measured, limit = _shown(figures.share, policy.max_cuda_only, _PERCENT)
        lines.append(
            f"{_word(kept)}: CUDA-only share by use {measured} %, limit {limit} % "
            f"({figures.uses} active uses)"
        )
        lines.extend(_named(figures.offenders.by_uses) if not kept else ())
    if policy.max_weeks is not None:
        kept = figures.weeks <= policy.max_weeks
        passed = passed and kept
        measured, limit = _shown(figures.weeks, policy.max_weeks, Decimal(1))
        lines.append(
            f"{_word(kept)}: total effort P50 {measured} person-weeks, limit {limit} "
            f"({figures.effort_for})"
        )
        lines.extend(_named(figures.offenders.by_hours) if not kept else ())
    if not figures.complete:
        lines.append("Gate: incomplete, too much was left unread to trust these figures")
        return GateResult(passed, tuple(lines), ExitCode.INCOMPLETE)
    lines.append(f"Gate: {'passed' if passed else 'failed'}")
    return GateResult(passed, tuple(lines), ExitCode.OK if passed else ExitCode.GATE_FAILED)


def _named(offenders: Iterable[Offender]) -> Iterator[str]:
    for one in offenders:
        name = "kernel launch <<<>>>" if one.name == "<<<>>>" else one.name
        yield f"  {name}: {one.words}{f', first at {one.place}' if one.place else ''}"


def _word(kept: bool) -> str:  # noqa: FBT001 - the one thing it words
    return "pass" if kept else "FAIL"


def _shown(measured: float, limit: float, times: Decimal) -> tuple[str, str]:
    """Both figures as text, with as many digits as it takes not to contradict the comparison.

    The limit is shown as it was given. 0 and 100 % stand only where they are exact.
    """
    exact, bound = Decimal(repr(measured)) * times, Decimal(repr(limit)) * times
    ends = {Decimal(0), _PERCENT} if times == _PERCENT else {Decimal(0)}
    for digits in range(1, _MOST_DIGITS):
        text = f"{exact:.{digits}f}"
        rounded = Decimal(text)
        agrees = (rounded > bound) == (exact > bound)
        if agrees and (rounded == exact or rounded not in ends):
            return text, _plain(bound)
    return f"{exact.normalize()}", _plain(bound)


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
