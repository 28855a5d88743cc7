"""The mechanical uses as findings, for ``--all-uses``: a name in one function of one file."""

from __future__ import annotations

from itertools import groupby

from migrate.model.assessment import Assessment, UseRow
from migrate.model.finding import Finding, Site
from migrate.model.identity import RULE_USE, finding_id
from migrate.model.verdict import Confidence, SeenBy, Severity, Verdict
from migrate.report.words import shown_name

_SEEN_ORDER = {seen_by: place for place, seen_by in enumerate(SeenBy)}


def mechanical_findings(assessment: Assessment) -> tuple[Finding, ...]:
    """Group the assessment's mechanical uses by file, name, function and state."""
    archs = assessment.target.archs
    ordered = sorted(assessment.uses, key=lambda use: (*_group(use), use.line, use.column))
    return tuple(_finding(tuple(uses), archs) for _, uses in groupby(ordered, key=_group))


def _group(use: UseRow) -> tuple[str, str, str, str, str, str]:
    return (use.path, use.symbol, use.function, use.state.value, use.verdict.value, use.hip)


def _finding(uses: tuple[UseRow, ...], archs: tuple[str, ...]) -> Finding:
    first = uses[0]
    renamed = first.verdict is Verdict.RENAMED
    return Finding(
        id=finding_id(RULE_USE, first.symbol, first.function),
        rule=RULE_USE,
        tier=first.tier,
        verdict=first.verdict,
        severity=Severity.INFO,
        confidence=Confidence.CERTAIN,
        state=first.state,
        archs=archs,
        symbol=first.symbol,
        hip=first.hip,
        function=first.function,
        message=f"{shown_name(first.symbol)} becomes {first.hip}."
        if renamed
        else f"{shown_name(first.symbol)} keeps its name.",
        fix=f"Rename to {first.hip}; hipify does it." if renamed else "",
        driver=first.driver,
        hours=(
            sum(use.hours[0] for use in uses),
            sum(use.hours[1] for use in uses),
            sum(use.hours[2] for use in uses),
        ),
        seen_by=max((use.seen_by for use in uses), key=_SEEN_ORDER.__getitem__),
        sites=tuple(
            Site(
                path=use.path,
                line=use.line,
                end_line=use.end_line,
                column=use.column,
                fingerprint=use.fingerprint,
                condition=use.condition,
            )
            for use in uses
        ),
    )
