"""All rules in order of their ids; each family lists its own in ``RULES``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrate.errors import AssessError
from migrate.model.rule import Rule
from migrate.rules import (
    atomics,
    build,
    cluster,
    communication,
    compiler,
    components,
    containers,
    features,
    guards,
    lanes,
    languages,
    matrix,
    memory,
    opportunities,
    options,
    ptx,
    python,
    runtime,
    settings,
    shared,
    support,
    types,
    wavefront,
)

_FAMILIES = (
    wavefront,
    lanes,
    ptx,
    matrix,
    memory,
    atomics,
    shared,
    types,
    guards,
    runtime,
    compiler,
    features,
    build,
    options,
    containers,
    languages,
    cluster,
    communication,
    settings,
    support,
    python,
    components,
    opportunities,
)
RULES: tuple[Rule, ...] = tuple(
    sorted((rule for family in _FAMILIES for rule in family.RULES), key=lambda rule: rule.id)
)


def chosen_rules(ignore: Sequence[str], own: Sequence[Rule] = ()) -> tuple[Rule, ...]:
    """The rules, ours and the user's ``own``, without those whose id starts with a word.

    Raises:
        AssessError: a word that no rule's id starts with.
    """
    asked = (replace(rule, of_includes=True) for rule in own)
    rules = sorted((*RULES, *asked), key=lambda rule: rule.id)
    unknown = [word for word in ignore if not any(rule.id.startswith(word) for rule in rules)]
    if unknown:
        raise AssessError(
            f"No rule is called {', '.join(unknown)}",
            slug="unknown-rule",
            hint=f"Rules are {RULES[0].id} to {RULES[-1].id}: hipassess catalogue lists them.",
        )
    return tuple(rule for rule in rules if not rule.id.startswith(tuple(ignore)))
