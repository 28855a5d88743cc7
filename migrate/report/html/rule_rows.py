"""Rules on the page: the table of those that found something, and what each says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from migrate.model.finding import Finding
from migrate.model.rule import Rule
from migrate.model.verdict import Severity, Tier
from migrate.report.html.anchors import rule_anchor
from migrate.report.html.evidence import Link
from migrate.report.numbers import significant
from migrate.report.ranking import Shelf, shelf_of
from migrate.report.rules.words import evidence_title, evidence_url, holds_in_words
from migrate.report.words import RULE_TITLES

_SEVERITY = {severity: place for place, severity in enumerate(Severity)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTold:
    """What a rule says of all its findings; ``before`` and ``after`` are lines of code."""

    title: str
    why: str
    fix: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    holds: str
    evidence: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """The findings of one rule together; ``beside`` of them are not counted as work.

    ``first`` is the anchor of the first row with one, "" where none is on the page.
    """

    rule: str
    title: str
    anchor: str
    tier: str
    severity: str
    findings: int
    beside: int
    places: int
    hours: float
    hours_words: str
    first: str


def rule_told(rule: Rule) -> RuleTold:
    """A rule in words, code and links."""
    return RuleTold(
        title=rule.title,
        why=rule.why,
        fix=rule.fix,
        before=tuple(rule.example.cuda.strip("\n").splitlines()),
        after=tuple(rule.example.hip.strip("\n").splitlines()),
        holds=holds_in_words(rule.holds),
        evidence=tuple(Link(evidence_title(one), evidence_url(one)) for one in rule.evidence),
    )


def detail_of(finding: Finding, told: RuleTold) -> str:
    """What a finding's message says beyond its rule."""
    return finding.message.removeprefix(f"{told.title}. {told.why}").strip()


def rule_rows(
    findings: Iterable[Finding], rules: Sequence[Rule], first: Mapping[str, str]
) -> tuple[RuleRow, ...]:
    """The rules that found something, most hours first; names that do not map are one, too.

    ``first`` is the anchor of each rule's first row.
    """
    titles = {rule.id: rule.title for rule in rules}
    grouped: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        grouped[finding.rule].append(finding)
    rows = [_row(rule, titles, mine, first.get(rule, "")) for rule, mine in grouped.items()]
    return tuple(sorted(rows, key=lambda row: (-row.hours, row.rule)))


def _row(rule: str, titles: Mapping[str, str], findings: Sequence[Finding], first: str) -> RuleRow:
    hours = sum(finding.hours[1] for finding in findings)
    work = sum(shelf_of(finding) is Shelf.WORK for finding in findings)
    return RuleRow(
        rule=rule,
        title=titles.get(rule, "") or RULE_TITLES.get(rule, ""),
        anchor=rule_anchor(rule),
        tier=", ".join(tier for tier in Tier if any(row.tier is tier for row in findings)),
        severity=max((row.severity for row in findings), key=_SEVERITY.__getitem__).value,
        findings=work,
        beside=len(findings) - work,
        places=sum(len(row.sites) for row in findings),
        hours=hours,
        hours_words=significant(hours),
        first=first,
    )
