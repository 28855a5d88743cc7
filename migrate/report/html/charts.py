"""Bars as numbers: where each rectangle of a chart begins and how wide it is, in percent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from migrate.model.effort import Range
from migrate.model.verdict import Verdict
from migrate.report.numbers import count, percent, person_weeks, share

_NARROWEST = 0.6
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a stacked bar: its verdict, its place in percent of the width, its words."""

    verdict: str
    x: str
    width: str
    words: str


@dataclass(frozen=True, slots=True)
class StackedBar:
    """A bar of verdicts; ``words`` says all of it for readers who do not see it."""

    segments: tuple[Segment, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeBar:
    """P10 to P90 with a mark at P50, in percent of the axis; and the numbers as written."""

    x: str
    width: str
    mark: str
    p10: str
    p50: str
    p90: str
    words: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from 0 to ``top`` with its marks."""

    top: float
    ticks: tuple[Tick, ...]


def stacked_bar(verdicts: Mapping[Verdict, int]) -> StackedBar:
    """Lay verdict counts side by side, worst last; a small part stays wide enough to be seen."""
    present = [(verdict, verdicts[verdict]) for verdict in Verdict if verdicts.get(verdict)]
    total = sum(number for _, number in present)
    shown = [max(100 * share(number, total), _NARROWEST) for _, number in present]
    scale = share(100, sum(shown))
    segments = []
    x = 0.0
    for (verdict, number), part in zip(present, shown, strict=True):
        width = part * scale
        words = f"{verdict}: {count(number)} ({percent(number / total)})"
        segments.append(Segment(verdict.value, _in_percent(x), _in_percent(width), words))
        x += width
    words = "; ".join(segment.words for segment in segments) or "no uses"
    return StackedBar(tuple(segments), words)


def axis_for(top: float) -> Axis:
    """An axis that reaches ``top`` and is marked at round numbers."""
    if top <= 0:
        return Axis(1.0, (Tick("0%", "0"),))
    step = _round_step(top / _TICKS)
    marks = range(math.floor(top / step) + 1)
    return Axis(
        top, tuple(Tick(_in_percent(100 * n * step / top), f"{n * step:,g}") for n in marks)
    )


def range_bar(weeks: Range, axis: Axis) -> RangeBar:
    """Place an estimate on an axis."""
    low, high = (100 * value / axis.top for value in (weeks.p10, weeks.p90))
    p10, p50, p90 = (person_weeks(value) for value in (weeks.p10, weeks.p50, weeks.p90))
    return RangeBar(
        x=_in_percent(low),
        width=_in_percent(max(high - low, 0.3)),
        mark=_in_percent(100 * weeks.p50 / axis.top),
        p10=p10,
        p50=p50,
        p90=p90,
        words=f"{p50} person-weeks, {p10} to {p90}",
    )


def bar_width(value: float, top: float) -> str:
    """The width of a plain bar."""
    return _in_percent(100 * share(value, top))


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return float(next(n * power for n in (1, 2, 5, 10) if n * power >= rough))


def _in_percent(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"
