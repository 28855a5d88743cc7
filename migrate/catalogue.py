"""The rules as they are told: each with its price, found by its id or slug."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.estimate.coefficients import load_coefficients
from migrate.model.catalogue import Price, RuleCard
from migrate.model.rule import Driver, Rule
from migrate.rules.registry import RULES


def rule_cards(own: Sequence[Rule] = ()) -> tuple[RuleCard, ...]:
    """Every rule, ours and the user's ``own``, in order of id."""
    rules = sorted((*RULES, *own), key=lambda rule: rule.id)
    return tuple(RuleCard(rule, _price(rule)) for rule in rules)


def card_called(word: str, cards: Sequence[RuleCard]) -> RuleCard | None:
    """The rule whose id or slug is ``word``, in capitals or not; None for no such rule."""
    wanted = word.strip().lower()
    return next((card for card in cards if wanted in {card.rule.id.lower(), card.rule.slug}), None)


def _price(rule: Rule) -> Price | None:
    if rule.driver in {Driver.NONE, Driver.OF_NAME}:
        return None
    cost = load_coefficients().drivers[rule.driver.value]
    return Price(driver=cost.id, title=cost.title, per=cost.per, hours=cost.hours)
