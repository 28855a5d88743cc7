"""A rule with its price: what a page about it tells."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one unit of a driver costs, before damping and factors.

    ``hours`` are optimistic, most likely and pessimistic; ``per`` says what is counted: a site, a
    function, a kind.
    """

    driver: str
    title: str
    per: str
    hours: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class RuleCard:
    """A rule and what prices its places; None where nothing of its own does."""

    rule: Rule
    price: Price | None
