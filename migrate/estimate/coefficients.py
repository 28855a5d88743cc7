"""The effort model's coefficients: mappings/effort.toml with a project's own values over it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from migrate.errors import AssessError
from migrate.estimate.checks import Reader
from migrate.knowledge.files import data_path
from migrate.model.effort import Scope, Strategy, Team
from migrate.model.verdict import Tier

SLUG: Final = "effort-settings"
UNITS: Final = frozenset({"site", "name", "function", "library", "kind", "project", "size"})

Hours = tuple[float, float, float]
"""Optimistic, most likely and pessimistic hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverCost:
    """What one unit of a driver costs; mappings/effort.toml says what each field means."""

    id: str
    title: str
    tier: Tier
    hours: Hours
    per: str
    reason: str
    full: float
    """Infinite where repeats are not damped."""
    rest: float
    cap: float
    """Infinite where there is none."""
    fixed: bool
    tuning: bool
    choice: str
    """"" where the planner has nothing to choose."""

    def effective(self, n: float, scale: float) -> float:
        """The units that count of ``n``: capped, repeats damped, fixed costs times ``scale``."""
        counted = min(n, self.cap)
        damped = min(counted, self.full) + self.rest * max(0.0, counted - self.full)
        return damped * scale if self.fixed else damped


@dataclass(frozen=True, slots=True)
class TierFactors:
    """A factor for each tier, and why."""

    by_tier: Mapping[Tier, float]
    reason: str


@dataclass(frozen=True, slots=True)
class TeamFactor:
    """A team's factor, and the scopes that there is evidence for."""

    factor: float
    scopes: frozenset[Scope]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """All that turns counts into person-weeks; ``overridden`` names a project's own values."""

    drivers: Mapping[str, DriverCost]
    scopes: Mapping[Scope, TierFactors]
    tuned_scopes: frozenset[Scope]
    strategies: Mapping[Strategy, TierFactors]
    teams: Mapping[Team, TeamFactor]
    shared_sigma: float
    tier_sigma: Mapping[Tier, float]
    small_code_kloc: float
    as_of: str
    overridden: tuple[str, ...] = ()

    def scale(self, kloc: float) -> float:
        """The part of the fixed costs that a code of this size carries."""
        return min(1.0, kloc / self.small_code_kloc)

    def effective(self, driver: str, n: float, kloc: float) -> float:
        """The units of a driver that count, for ``kloc`` effective thousand lines of GPU code."""
        return self.drivers[driver].effective(n, self.scale(kloc))


def load_coefficients(overrides: Mapping[str, object] | None = None) -> Coefficients:
    """Read the shipped coefficients, with single values replaced by a project's own.

    Args:
        overrides: the tables and keys of mappings/effort.toml, as ``{"drivers": {"warp_site":
            {"hours": [0.1, 0.4, 1.5]}}, "model": {"shared_sigma": 0.45}}``.

    Raises:
        AssessError: an override names nothing known or has a wrong value; all of them are told.
    """
    tree, changed, problems = _merged(_shipped(), overrides or {}, "")
    reader = Reader()
    coefficients = _build(reader, tree, tuple(changed))
    problems += reader.problems
    if problems:
        raise AssessError(
            "wrong effort settings:\n" + "\n".join(f"  - {problem}" for problem in problems),
            slug=SLUG,
            hint="The known keys are those of mappings/effort.toml.",
        )
    return coefficients


@cache
def _shipped() -> Mapping[str, object]:
    text = data_path("mappings", "effort.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text))


def _merged(
    base: Mapping[str, object], own: Mapping[str, object], path: str
) -> tuple[dict[str, object], list[str], list[str]]:
    """Lay ``own`` over ``base``: the whole, the paths changed, the problems."""
    merged, changed, problems = dict(base), list[str](), list[str]()
    for key, value in sorted(own.items()):
        here = f"{path}{key}"
        known = base.get(key)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            merged[key], below, wrong = _merged(known, value, f"{here}.")
            changed += below
            problems += wrong
        elif key not in base and not (key in _MAY_BE_ADDED and path.startswith("drivers.")):
            problems.append(f"{here}: no such key; known: {', '.join(sorted(base))}")
        elif isinstance(known, Mapping):
            problems.append(f"{here}: a table is needed, not {value!r}")
        elif key in _MAY_NOT_CHANGE:
            problems.append(f"{here}: cannot be changed")
        else:
            merged[key] = value
            changed.append(here)
    return merged, changed, problems


_MAY_BE_ADDED = frozenset({"full", "rest", "cap"})
_MAY_NOT_CHANGE = frozenset({"tier", "per", "fixed", "tuning", "as_of"})


def _build(reader: Reader, tree: Mapping[str, object], changed: tuple[str, ...]) -> Coefficients:
    scopes = reader.table(tree, "scope")
    strategies = reader.table(tree, "strategy")
    teams = reader.table(tree, "team")
    model = reader.table(tree, "model")
    sigma = reader.table(model, "tier_sigma", "model.")
    drivers = reader.table(tree, "drivers")
    return Coefficients(
        drivers=MappingProxyType(
            {key: _driver(reader, key, reader.table(drivers, key, "drivers.")) for key in drivers}
        ),
        scopes=MappingProxyType(
            {scope: _factors(reader, scopes, "scope", scope) for scope in Scope}
        ),
        tuned_scopes=frozenset(
            scope
            for scope in Scope
            if reader.flag(reader.table(scopes, scope, "scope."), "tuning", f"scope.{scope}.")
        ),
        strategies=MappingProxyType(
            {way: _factors(reader, strategies, "strategy", way) for way in Strategy}
        ),
        teams=MappingProxyType({team: _team(reader, teams, team) for team in Team}),
        shared_sigma=reader.number(model, "shared_sigma", "model.", most=3.0),
        tier_sigma=MappingProxyType(
            {tier: reader.number(sigma, tier, "model.tier_sigma.", most=3.0) for tier in Tier}
        ),
        small_code_kloc=reader.number(model, "small_code_kloc", "model.", positive=True),
        as_of=reader.text(tree, "as_of", ""),
        overridden=changed,
    )


def _driver(reader: Reader, key: str, row: Mapping[str, object]) -> DriverCost:
    path = f"drivers.{key}."
    choice, hours = "", (0.0, 0.0, 0.0)
    if "choices" in row:
        choices = reader.table(row, "choices", path)
        choice = reader.one_of(row, "choice", path, choices)
        priced = {name: reader.hours(choices, name, f"{path}choices.") for name in choices}
        hours = priced.get(choice, hours)
    else:
        hours = reader.hours(row, "hours", path)
    return DriverCost(
        id=key,
        title=reader.text(row, "title", path),
        tier=Tier(reader.one_of(row, "tier", path, tuple(Tier))),
        hours=hours,
        per=reader.one_of(row, "per", path, UNITS),
        reason=reader.text(row, "reason", path),
        full=reader.number(row, "full", path, default=float("inf")),
        rest=reader.number(row, "rest", path, default=1.0, most=1.0),
        cap=reader.number(row, "cap", path, default=float("inf")),
        fixed=reader.flag(row, "fixed", path),
        tuning=reader.flag(row, "tuning", path),
        choice=choice,
    )


def _factors(reader: Reader, rows: Mapping[str, object], table: str, key: str) -> TierFactors:
    path = f"{table}.{key}."
    row = reader.table(rows, key, f"{table}.")
    return TierFactors(
        MappingProxyType({tier: reader.number(row, tier, path, positive=True) for tier in Tier}),
        reader.text(row, "reason", path),
    )


def _team(reader: Reader, rows: Mapping[str, object], key: str) -> TeamFactor:
    path = f"team.{key}."
    row = reader.table(rows, key, "team.")
    return TeamFactor(
        reader.number(row, "factor", path, positive=True),
        frozenset(map(Scope, reader.words(row, "scopes", path, tuple(Scope)))),
        reader.text(row, "reason", path),
    )
