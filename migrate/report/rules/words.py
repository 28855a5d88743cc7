"""A rule's facts in words and as links: one home for every format that tells of rules."""

from __future__ import annotations

import re

from migrate.knowledge.traits import archs_with
from migrate.model.catalogue import RuleCard
from migrate.model.rule import Driver, Holds, Rule, RuleEvidence
from migrate.report.numbers import significant

_MARKUP = re.compile(r"[\\`*<>\[\]|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ON_GITHUB = re.compile(r"([\w.-]+/[\w.-]+):(\S+)")


def holds_in_short(holds: Holds) -> str:
    """Where a rule holds, for a table: ``from 7.0; 64 lanes a wavefront``."""
    return "; ".join(
        part for part in (_releases(holds), " or ".join(holds.traits)) if part
    ) or "everywhere"  # fmt: skip


def holds_in_words(holds: Holds) -> str:
    """Where a rule holds, in a sentence with the names of the GPUs."""
    releases = _releases(holds)
    on = f"On ROCm {releases}" if releases else "On every ROCm release"
    if not holds.traits:
        return f"{on}, on every GPU."
    gpus = ", ".join(archs_with(holds.traits)) or "none that the tables know"
    return f"{on}, on a GPU of this kind: {' or '.join(holds.traits)} ({gpus})."


def _releases(holds: Holds) -> str:
    """``from 6.2``, ``before 7.0``, ``from 6.2 and before 7.0``; "" for every release."""
    parts = [f"from {holds.since}"] if holds.since else []
    parts += [f"before {holds.until}"] if holds.until else []
    return " and ".join(parts)


def judged_as(rule: Rule) -> str:
    """What a place of a rule is: its verdict, severity and confidence."""
    if rule.is_opportunity:
        return "An opportunity: severity info, no verdict and no effort of its own."
    return (
        f"Verdict {rule.verdict} or worse, severity {rule.severity}, confidence {rule.confidence}."
    )


def price_in_words(card: RuleCard) -> str:
    """What a place of a rule costs, in a sentence."""
    if card.rule.driver is Driver.OF_NAME:
        return "What the CUDA name at the place costs without the rule."
    if card.price is None:
        return "None of its own."
    low, likely, high = (significant(hours) for hours in card.price.hours)
    return (
        f"Driver {card.price.driver} ({card.price.title}): {likely} hours a {card.price.per}, "
        f"{low} at best and {high} at worst, before repeats are damped and factors applied."
    )


def evidence_url(evidence: RuleEvidence) -> str:
    """The web address of a source: ``owner/repository:path`` is a file on GitHub; "" for none."""
    if evidence.url.startswith("https://"):
        return evidence.url
    found = _ON_GITHUB.fullmatch(evidence.url)
    return f"https://github.com/{found[1]}/blob/HEAD/{found[2]}" if found else ""


def evidence_title(evidence: RuleEvidence) -> str:
    """A source's title with the release that it speaks of."""
    return f"{evidence.title} (ROCm {evidence.rocm})" if evidence.rocm else evidence.title


def markdown_text(text: str) -> str:
    """Text as Markdown shows it: nothing in it is markup, nor ends a table's cell."""
    return _MARKUP.sub(r"\\\g<0>", text).replace("\n", " ")
