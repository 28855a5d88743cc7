"""The findings as rows of the page; those of a library replaced whole are one row a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from migrate.knowledge.libraries import known_libraries
from migrate.model.assessment import ApiRow, Excerpt
from migrate.model.finding import Finding
from migrate.model.verdict import Severity, State, Verdict
from migrate.report.html.anchors import (
    driver_anchor,
    finding_anchors,
    group_anchor,
    rule_anchor,
)
from migrate.report.html.evidence import Link
from migrate.report.html.places import Linker, Place, Shown
from migrate.report.numbers import plural, significant
from migrate.report.words import shown_name


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A source line; ``hit`` where the finding is."""

    text: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Code:
    """Source lines around a finding."""

    first_line: int
    lines: tuple[CodeLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRow:
    """A finding as the page shows it, or all findings of a replaced library in one file."""

    anchor: str
    rule: str
    rule_anchor: str
    tier: str
    verdict: str
    severity: str
    confidence: str
    state: str
    symbol: str
    symbol_anchor: str
    hip: str
    function: str
    place: Place
    more_sites: int
    sites: tuple[Place, ...]
    sites_left: int
    message: str
    fix: str
    driver: str
    driver_anchor: str
    hours: float
    hours_words: str
    archs: str
    seen_by: str
    evidence: tuple[Link, ...]
    code: Code | None
    drivers: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    members: tuple[FindingRow, ...] = ()
    """The findings of a library in one file, where this row stands for all of them."""
    members_left: int = 0


@dataclass(frozen=True, slots=True)
class FindingTable:
    """The rows on the page, worst first, and how many findings they hold of how many."""

    rows: tuple[FindingRow, ...]
    shown: Shown
    grouped: int
    with_code: int


def finding_table(
    ranked: Sequence[Finding],
    apis: Iterable[ApiRow],
    excerpts: Mapping[tuple[str, int], Excerpt],
    linker: Linker,
) -> FindingTable:
    """Make the rows of ranked findings, as many as the limits allow."""
    library_of = {row.name: row.library for row in apis}
    groups = _capped(_groups(ranked, library_of), linker.limits.findings, linker.limits.members)
    shown = [finding for group in groups for finding in group.shown]
    anchors = iter(finding_anchors(shown))
    code = _first_excerpts(shown, excerpts, linker.limits.excerpts)
    rows = []
    for group in groups:
        members = tuple(
            _finding_row(one, next(anchors), linker, code.get((one.path, one.line)))
            for one in group.shown
        )
        rows.append(members[0] if len(group.all) == 1 else _group_row(group, members))
    return FindingTable(
        tuple(rows),
        Shown(len(shown), len(ranked)),
        sum(len(group.all) for group in groups if len(group.all) > 1),
        sum((row.path, row.line) in code for row in shown),
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """Findings that share a row: those of ``library`` in one file, or a single one."""

    library: str
    all: Sequence[Finding]
    shown: Sequence[Finding]


def _groups(ranked: Sequence[Finding], library_of: Mapping[str, str]) -> list[_Group]:
    """Gather findings, worst first by the severity and hours of the whole row."""
    gathered: dict[tuple[str, ...], list[Finding]] = {}
    for number, finding in enumerate(ranked):
        library = library_of.get(finding.symbol, "")
        key: tuple[str, ...] = (str(number),)
        if finding.verdict is Verdict.REPLACED and _replaced_whole(library):
            key = (library, finding.path, finding.state.value)
        gathered.setdefault(key, []).append(finding)
    groups = [_Group(library_of.get(rows[0].symbol, ""), rows, rows) for rows in gathered.values()]
    place = {id(finding): number for number, finding in enumerate(ranked)}
    return sorted(groups, key=lambda group: (*_weight(group), place[id(group.all[0])]))


def _replaced_whole(library: str) -> bool:
    known = known_libraries().get(library)
    return known is not None and known.compatibility == Verdict.REPLACED.value


def _weight(group: _Group) -> tuple[bool, int, float]:
    first = group.all[0]
    worst = max(_RANK[finding.severity] for finding in group.all)
    hours = sum(finding.hours[1] for finding in group.all)
    return first.state is not State.ACTIVE, -worst, -hours


_RANK = {severity: number for number, severity in enumerate(Severity)}


def _capped(groups: Sequence[_Group], findings: int, members: int) -> list[_Group]:
    """Keep the groups that ``findings`` have room for, and ``members`` of each."""
    kept = []
    for group in groups:
        if findings <= 0:
            break
        shown = group.all[: min(members, findings)]
        kept.append(replace(group, shown=shown))
        findings -= len(shown)
    return kept


def _group_row(group: _Group, members: tuple[FindingRow, ...]) -> FindingRow:
    known = known_libraries()[group.library]
    first = members[0]
    low, likely, high = (
        significant(sum(finding.hours[part] for finding in group.all)) for part in range(3)
    )
    sites = sum(len(finding.sites) for finding in group.all)
    worst = max((finding.severity for finding in group.all), key=_RANK.__getitem__)
    instead = f"; {known.rocm} does its job" if known.rocm else ""
    return replace(
        first,
        anchor=group_anchor(group.library, first.place.path, first.state),
        severity=worst.value,
        symbol=known.title,
        symbol_anchor="",
        hip=known.rocm,
        function="",
        more_sites=sites - 1,
        sites=(),
        sites_left=0,
        message=(
            f"{known.title} is replaced as a whole{instead}: "
            f"{plural(len(group.all), 'finding')} at {plural(sites, 'place')} in this file."
        ),
        fix="",
        driver="",
        driver_anchor="",
        hours=sum(finding.hours[1] for finding in group.all),
        hours_words=f"{likely} ({low} to {high})",
        evidence=(),
        code=None,
        drivers=tuple(sorted({finding.driver for finding in group.all} - {""})),
        tiers=tuple(sorted({finding.tier.value for finding in group.all})),
        severities=tuple(sorted({finding.severity.value for finding in group.all})),
        members=members,
        members_left=len(group.all) - len(members),
    )


def _first_excerpts(
    findings: Sequence[Finding], excerpts: Mapping[tuple[str, int], Excerpt], limit: int
) -> dict[tuple[str, int], Excerpt]:
    places = dict.fromkeys((row.path, row.line) for row in findings)
    present = [place for place in places if place in excerpts]
    return {place: excerpts[place] for place in present[:limit]}


def _finding_row(
    finding: Finding, anchor: str, linker: Linker, excerpt: Excerpt | None
) -> FindingRow:
    low, likely, high = (significant(value) for value in finding.hours)
    limit = linker.limits.sites
    return FindingRow(
        anchor=anchor,
        rule=finding.rule,
        rule_anchor=rule_anchor(finding.rule),
        tier=finding.tier.value,
        verdict=finding.verdict.value,
        severity=finding.severity.value,
        confidence=finding.confidence.value,
        state=finding.state.value,
        symbol=shown_name(finding.symbol),
        symbol_anchor=linker.symbol(finding.symbol),
        hip=finding.hip if finding.hip != finding.symbol else "",
        function=finding.function,
        place=linker.place(finding.path, finding.line),
        more_sites=len(finding.sites) - 1,
        sites=tuple(linker.place(site.path, site.line) for site in finding.sites[1:limit]),
        sites_left=max(0, len(finding.sites) - limit),
        message=finding.message,
        fix=finding.fix,
        driver=finding.driver,
        driver_anchor=driver_anchor(finding.driver) if finding.driver in linker.drivers else "",
        hours=finding.hours[1],
        hours_words=f"{likely} ({low} to {high})",
        archs=", ".join(finding.archs),
        seen_by=finding.seen_by.value,
        evidence=linker.evidence.get(finding.symbol, ()),
        code=_code(excerpt, finding) if excerpt else None,
        drivers=(finding.driver,) if finding.driver else (),
        tiers=(finding.tier.value,),
        severities=(finding.severity.value,),
    )


def _code(excerpt: Excerpt, finding: Finding) -> Code:
    hits = {
        line
        for site in finding.sites
        if site.path == excerpt.path
        for line in range(site.line, site.end_line + 1)
    }
    return Code(
        excerpt.first_line,
        tuple(
            CodeLine(text, number in hits)
            for number, text in enumerate(excerpt.lines, excerpt.first_line)
        ),
    )
