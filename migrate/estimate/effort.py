"""From counted drivers to person-weeks: the closed form of the effort model.

A unit cost is a PERT range with one draw per driver, so a driver's spread grows with its count.
Each tier is their sum times a lognormal spread of its own, and all tiers share one more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist

from migrate.errors import AssessError
from migrate.estimate.coefficients import SLUG, Coefficients
from migrate.model.effort import (
    HOURS_PER_WEEK,
    DriverCount,
    Effort,
    Range,
    Scope,
    Strategy,
    Team,
)
from migrate.model.verdict import Tier

_Z90 = NormalDist().inv_cdf(0.9)


def estimate_effort(
    counts: Mapping[str, float],
    *,
    kloc: float,
    scope: Scope,
    strategy: Strategy,
    team: Team,
    coefficients: Coefficients,
) -> Effort:
    """Estimate the effort for one scope, with the total of a first run beside it.

    Args:
        counts: how often each driver was met (``count_drivers``), by its id.
        kloc: effective thousand lines of GPU code, which scale the fixed costs of small codes.
        scope: how far the work goes.
        strategy: how the port is made.
        team: who does it.
        coefficients: the prices.

    Raises:
        AssessError: there is no evidence for this team in this scope.
        ValueError: a count has an unknown driver, or is no number of 0 or more.
    """
    known = coefficients.teams[team].scopes
    if scope not in known:
        raise AssessError(
            f"no estimate for team {team} and scope {scope}: nothing is known of such ports",
            slug=SLUG,
            hint=f"There is evidence for: {', '.join(s for s in Scope if s in known)}.",
        )
    drivers = _price(counts, kloc, scope, coefficients)
    tiers = _tiers(drivers, scope, strategy, team, coefficients)
    first = _tiers(
        _price(counts, kloc, Scope.FIRST_RUN, coefficients),
        Scope.FIRST_RUN,
        strategy,
        team,
        coefficients,
    )
    shared = coefficients.shared_sigma
    return Effort(
        scope=scope,
        strategy=strategy,
        team=team,
        interface=tiers[Tier.INTERFACE].range(shared),
        kernel=tiers[Tier.KERNEL].range(shared),
        ecosystem=tiers[Tier.ECOSYSTEM].range(shared),
        total=_total(tiers.values()).range(shared),
        first_run=_total(first.values()).range(shared),
        drivers=drivers,
    )


@dataclass(frozen=True, slots=True)
class _Spread:
    """Hours as mean and variance, read as a lognormal."""

    mean: float
    variance: float

    def widened(self, sigma: float) -> _Spread:
        """Times an independent lognormal of median 1."""
        up = math.exp(sigma * sigma)
        square = self.mean * self.mean
        return _Spread(self.mean * math.sqrt(up), up * (up * (square + self.variance) - square))

    def range(self, shared_sigma: float) -> Range:
        """P10, P50, P90 in person-weeks, with the spread that all tiers share."""
        if self.mean == 0:
            return Range(0.0, 0.0, 0.0)
        own = math.log1p((math.sqrt(self.variance) / self.mean) ** 2)
        median = self.mean * math.exp(-own / 2) / HOURS_PER_WEEK
        reach = math.exp(_Z90 * math.sqrt(own + shared_sigma * shared_sigma))
        return Range(median / reach, median, median * reach)


def _total(tiers: Iterable[_Spread]) -> _Spread:
    """The sum of independent tiers, read as one lognormal (Fenton and Wilkinson).

    Moments add exactly, and the shared spread multiplies the sum exactly; only the sum's shape
    is an approximation, within 0.5 % of draws for a mid-size code (docs/effort.md).
    """
    parts = tuple(tiers)
    return _Spread(sum(part.mean for part in parts), sum(part.variance for part in parts))


def _price(
    counts: Mapping[str, float], kloc: float, scope: Scope, coefficients: Coefficients
) -> tuple[DriverCount, ...]:
    """The drivers that were met and count in this scope, in the coefficient file's order."""
    for key, n in counts.items():
        if key not in coefficients.drivers:
            raise ValueError(f"no such driver: {key!r}")
        if not (math.isfinite(n) and n >= 0):
            raise ValueError(f"{key}: not a count: {n!r}")
    priced = []
    for key, cost in coefficients.drivers.items():
        n = counts.get(key, 0)
        if n == 0 or (cost.tuning and scope not in coefficients.tuned_scopes):
            continue
        effective = coefficients.effective(key, n, kloc)
        o, m, p = cost.hours
        priced.append(
            DriverCount(
                id=key,
                title=cost.title,
                tier=cost.tier,
                n=n,
                n_effective=effective,
                hours=(effective * o, effective * m, effective * p),
            )
        )
    return tuple(priced)


def _tiers(
    drivers: tuple[DriverCount, ...],
    scope: Scope,
    strategy: Strategy,
    team: Team,
    coefficients: Coefficients,
) -> dict[Tier, _Spread]:
    """Each tier's hours with its factors and its own spread, without the shared one."""
    tiers = {}
    for tier in Tier:
        factor = (
            coefficients.scopes[scope].by_tier[tier]
            * coefficients.strategies[strategy].by_tier[tier]
            * coefficients.teams[team].factor
        )
        hours = [driver.hours for driver in drivers if driver.tier is tier]
        mean = factor * sum(o + 4 * m + p for o, m, p in hours) / 6
        variance = factor * factor * sum((p - o) ** 2 for o, _, p in hours) / 36
        tiers[tier] = _Spread(mean, variance).widened(coefficients.tier_sigma[tier])
    return tiers
