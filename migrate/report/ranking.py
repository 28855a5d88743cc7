"""What a reader should see first: the files, names and libraries that the work hangs on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from migrate.model.assessment import ApiRow, Assessment, Component, FileRow
from migrate.model.finding import Finding
from migrate.model.identity import NAME_RULES
from migrate.model.source import Skipped
from migrate.model.verdict import Confidence, Severity, State, Tier

_OF_CUDA_ITSELF = frozenset({"runtime", "feature", "language"})
_IN_CODE = frozenset({"called", "linked", "header"})
_SEVERAL = re.compile(r"(\d+) files? (.+)", re.DOTALL)
_SEVERITY = {severity: place for place, severity in enumerate(Severity)}


class Shelf(Enum):
    """Where a finding belongs in a report: what is work stands apart from what is not counted."""

    WORK = "work"
    POSSIBLE = "possible"
    """A rule's place that the code does not settle: neither share, effort nor gate count it."""
    OPPORTUNITY = "opportunity"
    """Something that the target offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleProblem:
    """What one rule found in the code that is still to be ported."""

    rule: str
    title: str
    tier: Tier
    severity: Severity
    functions: int
    sites: int
    hours: float
    priced_with: str
    """The rules whose findings at the same lines have its hours, "" where it has some."""

    @property
    def severity_rank(self) -> int:
        """How much it matters, least first."""
        return _SEVERITY[self.severity]


def shelf_of(finding: Finding) -> Shelf:
    """Whether a finding is work; a name is, whatever the doubt about its tables."""
    if finding.rule in NAME_RULES:
        return Shelf.WORK
    if finding.severity is Severity.INFO:
        return Shelf.OPPORTUNITY
    possible = finding.confidence is Confidence.POSSIBLE
    return Shelf.POSSIBLE if possible else Shelf.WORK


def on_shelf(assessment: Assessment, shelf: Shelf) -> list[Finding]:
    """The findings of one kind in code that is still to be ported."""
    return [
        row for row in assessment.findings if row.state is State.ACTIVE and shelf_of(row) is shelf
    ]


def is_work(finding: Finding) -> bool:
    """Whether a finding is counted: work, in code that is still to be ported."""
    return finding.state is State.ACTIVE and shelf_of(finding) is Shelf.WORK


def problems_by_rule(assessment: Assessment) -> list[RuleProblem]:
    """The rules that found work, most hours first; names that do not map are no rule's."""
    gathered: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in on_shelf(assessment, Shelf.WORK):
        if finding.rule not in NAME_RULES:
            gathered[finding.rule].append(finding)
    titles = {rule.id: rule.title for rule in assessment.rules}
    rows = [_problem(rule, titles.get(rule, ""), mine) for rule, mine in gathered.items()]
    return sorted(
        rows, key=lambda row: (-row.hours, -_SEVERITY[row.severity], -row.sites, row.rule)
    )


def _problem(rule: str, title: str, findings: list[Finding]) -> RuleProblem:
    hours = sum(row.hours[1] for row in findings)
    others = sorted({row.priced_with for row in findings} - {""})
    return RuleProblem(
        rule=rule,
        title=title,
        tier=findings[0].tier,
        severity=max((row.severity for row in findings), key=_SEVERITY.__getitem__),
        functions=len({(row.path, row.function) for row in findings}),
        sites=sum(len(row.sites) for row in findings),
        hours=hours,
        priced_with="" if hours else ", ".join(others),
    )


def hot_files(assessment: Assessment, limit: int | None = None) -> list[FileRow]:
    """The files with own work, most hours first."""
    ranked = sorted(
        (row for row in assessment.files if row.hours > 0 or row.cuda_only),
        key=lambda row: (-row.hours, -row.cuda_only, -row.uses, row.path),
    )
    return ranked[:limit]


def cuda_only_apis(assessment: Assessment) -> list[ApiRow]:
    """The names still to be ported that have nothing on the target, most used first."""
    return sorted(
        (row for row in assessment.apis if row.verdict.cuda_only and row.state is State.ACTIVE),
        key=lambda row: (-row.uses, row.name),
    )


def ranked_findings(assessment: Assessment) -> list[Finding]:
    """The findings as a team works through them: still open, severest, most hours first."""
    return sorted(
        assessment.findings,
        key=lambda row: (
            row.state is not State.ACTIVE,
            -_SEVERITY[row.severity],
            -row.hours[1],
            row.path,
            row.line,
            row.symbol,
            row.id,
        ),
    )


def libraries_in_use(assessment: Assessment) -> list[Component]:
    """The libraries that the port has to deal with, worst verdict first.

    The runtime itself is left out, and so is what only tests use or a file only names.
    """
    rows = (
        row
        for row in assessment.components
        if row.kind not in _OF_CUDA_ITSELF and row.use in _IN_CODE and row.state is State.ACTIVE
    )
    return sorted(rows, key=lambda row: (-row.verdict.rank, -row.uses, row.name))


def unread(assessment: Assessment) -> list[Skipped]:
    """What could have held CUDA and was not read."""
    return [skipped for skipped in assessment.skipped if skipped.candidate]


def skip_reasons(skipped: Iterable[Skipped]) -> list[tuple[str, int]]:
    """Why things were not read, with how many files and folders each reason took, most first.

    Discovery notes what a pattern leaves out of a folder as one entry, ``3 files ignored by ...``.
    """
    reasons: Counter[str] = Counter()
    for one in skipped:
        several = _SEVERAL.fullmatch(one.reason)
        if several is not None:
            reasons[several[2]] += int(several[1])
        else:
            reasons[one.reason] += 1
    return sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
