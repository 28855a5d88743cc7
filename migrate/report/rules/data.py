"""A rule as JSON: in a scan's result, and with its example and price for ``explain``."""

from __future__ import annotations

from migrate.knowledge.traits import archs_with
from migrate.model.catalogue import RuleCard
from migrate.model.rule import Holds, Rule, RuleEvidence
from migrate.report.json_types import HoldsJson, RuleEvidenceJson, RuleJson
from migrate.report.rules.words import evidence_url


def rule_json(rule: Rule) -> RuleJson:
    """What a result says of a rule that has findings in it."""
    return {
        "id": rule.id,
        "slug": rule.slug,
        "title": rule.title,
        "family": rule.family.value,
        "tier": rule.tier.value,
        "why": rule.why,
        "fix": rule.fix,
        "severity": rule.severity.value,
        "evidence": [_evidence(one) for one in rule.evidence],
        "holds": _holds(rule.holds),
    }


def card_json(card: RuleCard) -> dict[str, object]:
    """All that is known of a rule, for ``explain`` and ``catalogue``."""
    rule, price = card.rule, card.price
    return {
        "kind": "rule",
        **rule_json(rule),
        "verdict": rule.verdict.value,
        "confidence": rule.confidence.value,
        "example": {"cuda": rule.example.cuda, "hip": rule.example.hip},
        "driver": rule.driver.value or None,
        "price": {"title": price.title, "per": price.per, "hours": list(price.hours)}
        if price
        else None,
    }


def _evidence(one: RuleEvidence) -> RuleEvidenceJson:
    return {
        "title": one.title,
        "url": evidence_url(one) or one.url,
        "rocm": str(one.rocm) if one.rocm else None,
    }


def _holds(holds: Holds) -> HoldsJson:
    return {
        "since": str(holds.since) if holds.since else None,
        "until": str(holds.until) if holds.until else None,
        "traits": [trait.value for trait in holds.traits],
        "archs": list(archs_with(holds.traits)),
    }
