"""What every rule of a user's own has to keep to, whatever file it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.model.rule import Driver, Rule
from migrate.model.verdict import Tier, Verdict
from migrate.rules.own.fields import WrongValueError, own_id

DRIVERS = {
    Tier.INTERFACE: {Driver.SEMANTIC_SITE},
    Tier.KERNEL: {
        Driver.WARP_SITE,
        Driver.PTX_BLOCK,
        Driver.TEXTURE_SITE,
        Driver.COOPERATIVE_GROUPS_SITE,
        Driver.MATRIX_KERNEL,
        Driver.HAZARD_KIND,
    },
    Tier.ECOSYSTEM: {
        Driver.BUILD_SYSTEM,
        Driver.DROP_IN_LIBRARY,
        Driver.PARTIAL_LIBRARY,
        Driver.NO_COUNTERPART,
        Driver.PROFILER,
        Driver.COMMUNICATION,
        Driver.ECOSYSTEM_FIXED,
    },
}
"""The drivers that price a tier's places, beside ``of-name`` and none."""
_OF_ANY_TIER = {Driver.OF_NAME, Driver.NONE}


def wrong_rules(rules: Sequence[Rule]) -> list[str]:
    """What is wrong with rules, one by one and together."""
    ids = Counter(rule.id for rule in rules)
    return [f"{rule.id}: {problem}" for rule in rules for problem in _problems(rule)] + [
        f"{one}: is the id of {number} rules" for one, number in ids.items() if number > 1
    ]


def _problems(rule: Rule) -> Iterator[str]:
    try:
        own_id(rule.id)
    except WrongValueError as error:
        yield f"id {error}"
    if rule.driver not in DRIVERS[rule.tier] | _OF_ANY_TIER:
        words = (*sorted(driver.value for driver in DRIVERS[rule.tier]), "of-name", "none")
        yield f"driver of the tier {rule.tier} takes one of {', '.join(words)}"
    if rule.is_opportunity and rule.driver is not Driver.NONE:
        yield "severity info has no driver: an opportunity is no work"
    if rule.is_opportunity and rule.verdict is not Verdict.SAME:
        yield "severity info has no verdict: an opportunity changes nothing"
