"""The estimate on the page: ranges on one axis, its assumptions, and the drivers behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from migrate.model.effort import DriverCount, Effort
from migrate.model.verdict import Tier
from migrate.report.html.anchors import driver_anchor
from migrate.report.html.charts import Axis, RangeBar, axis_for, bar_width, range_bar
from migrate.report.numbers import count, significant
from migrate.report.words import SCOPE_WORDS, STRATEGY_WORDS, TEAM_WORDS, TIER_MEANING

_RANGES = (
    "A person-week is 40 hours. The estimate expects the true figure below P10 once in ten times, "
    "above P90 once in ten, and as often above P50 as below. The tiers' P10 and P90 do not add up "
    "to the total's."
)


@dataclass(frozen=True, slots=True)
class EffortRow:
    """A tier, the total or the first run."""

    name: str
    words: str
    bar: RangeBar
    kind: str


@dataclass(frozen=True, slots=True)
class EffortView:
    """The estimate with its assumptions in words."""

    rows: tuple[EffortRow, ...]
    axis: Axis
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverView:
    """A driver of effort; ``mean`` is the PERT mean that the estimate adds up."""

    id: str
    anchor: str
    title: str
    tier: str
    n: str
    n_effective: str
    hours: str
    mean: float
    mean_words: str
    width: str
    kinds: tuple[str, ...]
    """What a count of kinds counted."""
    findings: int
    first_finding: str
    """Findings on the page that carry the driver, and the row of the first."""
    names: int
    first_name: str
    """Names on the page that count for it, and the row of the first."""


def effort_view(effort: Effort) -> EffortView:
    """Place tiers, total and first run on one axis of person-weeks."""
    axis = axis_for(max(effort.total.p90, effort.first_run.p90))
    rows = (
        EffortRow(
            "Interface", TIER_MEANING[Tier.INTERFACE], range_bar(effort.interface, axis), "tier"
        ),
        EffortRow("Kernel", TIER_MEANING[Tier.KERNEL], range_bar(effort.kernel, axis), "tier"),
        EffortRow(
            "Ecosystem", TIER_MEANING[Tier.ECOSYSTEM], range_bar(effort.ecosystem, axis), "tier"
        ),
        EffortRow("Total", SCOPE_WORDS[effort.scope], range_bar(effort.total, axis), "total"),
        EffortRow(
            "First run",
            "until it builds and one case runs; part of the total",
            range_bar(effort.first_run, axis),
            "first",
        ),
    )
    assumptions = (
        f"Scope {effort.scope}: {SCOPE_WORDS[effort.scope]}.",
        f"Strategy {effort.strategy}: {STRATEGY_WORDS[effort.strategy]}.",
        f"Team: {TEAM_WORDS[effort.team]}.",
        _RANGES,
    )
    return EffortView(rows, axis, assumptions)


@dataclass(frozen=True, slots=True)
class DriverRows:
    """Anchors of the rows that stand behind a driver, in the order of the page."""

    findings: Mapping[str, Sequence[str]]
    names: Mapping[str, Sequence[str]]
    hazard_kinds: tuple[str, ...]


def driver_views(drivers: tuple[DriverCount, ...], rows: DriverRows) -> tuple[DriverView, ...]:
    """The drivers, those that weigh most first, with what stands behind each on the page."""

    def mean(driver: DriverCount) -> float:
        low, likely, high = driver.hours
        return (low + 4 * likely + high) / 6

    top = max(map(mean, drivers), default=0.0)
    return tuple(
        DriverView(
            id=driver.id,
            anchor=driver_anchor(driver.id),
            title=driver.title,
            tier=driver.tier.value,
            n=_number(driver.n),
            n_effective=_number(driver.n_effective),
            hours=" / ".join(significant(value) for value in driver.hours),
            mean=mean(driver),
            mean_words=significant(mean(driver)),
            width=bar_width(mean(driver), top),
            kinds=rows.hazard_kinds if driver.id == "hazard_kind" else (),
            findings=len(rows.findings.get(driver.id, ())),
            first_finding=next(iter(rows.findings.get(driver.id, ())), ""),
            names=len(rows.names.get(driver.id, ())),
            first_name=next(iter(rows.names.get(driver.id, ())), ""),
        )
        for driver in sorted(drivers, key=lambda driver: (-mean(driver), driver.id))
    )


def _number(n: float) -> str:
    return significant(n) if 0 < n < 1 else count(round(n, 1))
