"""Which part of its driver's hours each finding carries: the way from the total down to a site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from migrate.estimate.coefficients import Coefficients, Hours
from migrate.estimate.drivers import SITE_DRIVERS
from migrate.model.finding import Finding
from migrate.model.identity import NAME_RULES
from migrate.model.verdict import Confidence, Severity, State

_NOTHING: Hours = (0.0, 0.0, 0.0)


class _Own(NamedTuple):
    """A finding's own sites; where it has none, the rule of the finding that has its first."""

    sites: int
    owner: str


def carries_effort(finding: Finding) -> bool:
    """Whether a finding is work: active, of a driver, no mere opportunity or possibility.

    A name that is only possibly missing is work all the same: the doubt is about the tables' age.
    """
    return (
        finding.state is State.ACTIVE
        and finding.driver != ""
        and finding.severity is not Severity.INFO
        and (finding.confidence is not Confidence.POSSIBLE or finding.rule in NAME_RULES)
    )


def count_sites(findings: Sequence[Finding]) -> dict[str, int]:
    """The sites of the findings that are work, by driver, for the drivers that count sites."""
    sites = dict.fromkeys(SITE_DRIVERS, 0)
    for finding, own in zip(findings, _own_sites(findings), strict=True):
        if finding.driver in sites:
            sites[finding.driver] += own.sites
    return sites


def _own_sites(findings: Sequence[Finding]) -> list[_Own]:
    """How many sites each finding has that no finding before it has for the same driver.

    Mask, width and lane of one shuffle are three problems on one line, and one edit. Sites of one
    finding all count, and so do those of drivers that count no sites.
    """
    taken: dict[tuple[str, str, int], int] = {}
    own = []
    for number, finding in enumerate(findings):
        count, before = 0, number
        if carries_effort(finding):
            if finding.driver not in SITE_DRIVERS:
                count = len(finding.sites)
            for site in finding.sites if not count else ():
                owner = taken.setdefault((finding.driver, site.path, site.line), number)
                count += owner == number
                before = min(before, owner)
        own.append(_Own(count, "" if count or before == number else findings[before].rule))
    return own


def unit_hours(
    driver: str, counts: Mapping[str, float], kloc: float, coefficients: Coefficients
) -> Hours:
    """The hours of one counted unit of a driver after damping: its hours divided by its count."""
    n = counts.get(driver, 0)
    if not n:
        return _NOTHING
    part = coefficients.effective(driver, n, kloc) / n
    o, m, p = coefficients.drivers[driver].hours
    return (part * o, part * m, part * p)


def unit_of(finding: Finding, per: str) -> str:
    """What a finding shares a unit with: its function for kernels, else its name or rule."""
    if per == "function":
        return f"{finding.path}:{finding.function}"
    if per == "kind":
        return finding.kind or "other"
    return finding.symbol or finding.rule


def share_hours(
    findings: Sequence[Finding],
    counts: Mapping[str, float],
    kloc: float,
    coefficients: Coefficients,
    *,
    unit: Callable[[Finding, str], str] = unit_of,
) -> tuple[Finding, ...]:
    """Give every finding its own share of its driver's hours, before the factors.

    A driver of sites splits by sites. A driver of units (an API, a library, a kind of hazard)
    splits evenly over the units that the findings name, and each unit by sites; so a driver's
    findings never hold more than the driver. Fixed costs belong to no finding.

    Args:
        findings: all of the assessment's; those that are no work get zero.
        counts: the drivers' counts that the estimate was made from.
        kloc: effective thousand lines of GPU code.
        coefficients: the prices.
        unit: names a finding's unit, given what its driver counts (``per``); "" for one that was
            not counted and has no part in the driver.

    Raises:
        ValueError: a driver has more sites in the findings than it was counted.
    """
    keys = [_unit_key(finding, coefficients, unit) for finding in findings]
    counted = _own_sites(findings)
    units: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for finding, key, own in zip(findings, keys, counted, strict=True):
        if key is not None:
            units[finding.driver][key] += own.sites
    each = {
        driver: _hours_of_a_unit(driver, sites, counts, kloc, coefficients)
        for driver, sites in units.items()
    }
    shared = []
    for finding, key, own in zip(findings, keys, counted, strict=True):
        hours = _NOTHING
        if own.sites and key is not None:
            by_site = coefficients.drivers[finding.driver].per == "site"
            weight = own.sites / (1 if by_site else units[finding.driver][key])
            o, m, p = each[finding.driver]
            hours = (weight * o, weight * m, weight * p)
        shared.append(replace(finding, hours=hours, priced_with=own.owner))
    return tuple(shared)


def _unit_key(
    finding: Finding, coefficients: Coefficients, unit: Callable[[Finding, str], str]
) -> str | None:
    """The finding's unit; "" where every site is a unit, None for findings without a price."""
    if not carries_effort(finding):
        return None
    per = coefficients.drivers[finding.driver].per
    return "" if per == "site" else unit(finding, per) or None


def _hours_of_a_unit(
    driver: str,
    sites: Mapping[str, int],
    counts: Mapping[str, float],
    kloc: float,
    coefficients: Coefficients,
) -> Hours:
    """The hours of one site, or of one unit of those that the findings name."""
    cost = coefficients.drivers[driver]
    if cost.fixed:
        return _NOTHING
    n = counts.get(driver, 0)
    o, m, p = unit_hours(driver, counts, kloc, coefficients)
    if cost.per == "site":
        if sum(sites.values()) > n:
            raise ValueError(f"{driver}: {sum(sites.values())} sites in findings, {n} counted")
        return (o, m, p)
    part = min(1.0, n / len(sites))
    return (part * o, part * m, part * p)
