"""Effort in numbers: drivers in hours, ranges in person-weeks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrate.model.verdict import Tier

HOURS_PER_WEEK = 40.0


class Scope(StrEnum):
    """How far the work goes."""

    FIRST_RUN = "first-run"
    TESTS_PASS = "tests-pass"
    PRODUCTION = "production"


class Strategy(StrEnum):
    """How the port is made."""

    SHIM = "shim"
    HIPIFY = "hipify"
    COPY = "copy"
    LAYER = "layer"


class Team(StrEnum):
    """Who does it."""

    NEW = "new"
    GPU = "gpu"
    ROCM = "rocm"
    AGENT = "expert-agent"


@dataclass(frozen=True, slots=True)
class Range:
    """P10, P50 and P90 in person-weeks of 40 hours."""

    p10: float
    p50: float
    p90: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverCount:
    """How often a driver of effort was met.

    ``n`` counts sites; ``n_effective`` is n after damping of repeats and scaling for small codes;
    ``hours`` are optimistic, most likely and pessimistic hours for all of them together, before the
    factors of scope, strategy and team.
    """

    id: str
    title: str
    tier: Tier
    n: float
    n_effective: float
    hours: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The estimate for one scope, strategy and team, with the first-run figure beside it."""

    scope: Scope
    strategy: Strategy
    team: Team
    interface: Range
    kernel: Range
    ecosystem: Range
    total: Range
    first_run: Range
    drivers: tuple[DriverCount, ...]
