"""The findings as rows of the page: what is work, and beside it what is not counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from migrate.knowledge.components import known_components
from migrate.model.assessment import Assessment, Excerpt
from migrate.model.finding import Finding
from migrate.model.rule import Driver
from migrate.report.html.anchors import (
    driver_anchor,
    finding_anchors,
    group_anchor,
    rule_anchor,
)
from migrate.report.html.evidence import Link
from migrate.report.html.finding_groups import Group, Grouping, capped
from migrate.report.html.places import Linker, Place, Shown
from migrate.report.html.rule_rows import RuleTold, detail_of, rule_told
from migrate.report.numbers import plural, significant
from migrate.report.ranking import Shelf, ranked_findings, shelf_of
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
    """A finding as the page shows it, or all that share a row: of a rule, or of a library.

    ``message`` of a rule's finding is what it says beyond the rule, which ``told`` has.
    """

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
    priced_with: str
    archs: str
    seen_by: str
    evidence: tuple[Link, ...]
    code: Code | None
    drivers: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    told: RuleTold | None = None
    spread: str = ""
    condition: str = ""
    """Over how many functions and files the members lie."""
    members: tuple[FindingRow, ...] = ()
    """The findings of a rule, or of a library in one file, where this row stands for them all."""
    members_left: int = 0


@dataclass(frozen=True, slots=True)
class FindingTable:
    """The rows on the page, worst first, and how many findings they hold of how many."""

    rows: tuple[FindingRow, ...]
    shown: Shown
    grouped: int
    with_code: int


@dataclass(frozen=True, slots=True)
class FindingTables:
    """The work, and apart from it what is not counted: possible problems and opportunities."""

    work: FindingTable
    possible: FindingTable
    opportunities: FindingTable


def finding_tables(assessment: Assessment, linker: Linker) -> FindingTables:
    """Make the rows of an assessment's findings, as many as the limits allow."""
    limits = linker.limits
    library_of = {row.name: row.library for row in assessment.apis}
    rules = {rule.id: rule for rule in assessment.rules}
    grouping = Grouping(rules, lambda name: library_of.get(name, ""))
    ranked = ranked_findings(assessment)
    shelves = {
        shelf: [finding for finding in ranked if shelf_of(finding) is shelf] for shelf in Shelf
    }
    most = {Shelf.WORK: limits.findings}
    groups = {
        shelf: capped(
            grouping.groups(mine), most.get(shelf, limits.beside), limits.members, limits.of_rule
        )
        for shelf, mine in shelves.items()
    }
    shown = [finding for mine in groups.values() for group in mine for finding in group.shown]
    maker = _Maker(
        linker,
        {rule.id: rule_told(rule) for rule in assessment.rules},
        _first_excerpts(shown, assessment.excerpts, limits.excerpts),
        iter(finding_anchors(shown)),
    )
    work, possible, opportunities = (
        maker.table(shelf, groups[shelf], len(shelves[shelf])) for shelf in Shelf
    )
    return FindingTables(work, possible, opportunities)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes rows; ``anchors`` are those of the shown findings in the order of the page."""

    linker: Linker
    told: Mapping[str, RuleTold]
    code: Mapping[tuple[str, int], Excerpt]
    anchors: Iterator[str]

    def table(self, shelf: Shelf, groups: Sequence[Group], total: int) -> FindingTable:
        """The rows of one kind of findings."""
        rows = tuple(self._row(shelf, group) for group in groups)
        shown = [finding for group in groups for finding in group.shown]
        return FindingTable(
            rows,
            Shown(len(shown), total),
            sum(len(group.all) for group in groups if len(group.all) > 1 and not group.rule),
            sum((row.path, row.line) in self.code for row in shown),
        )

    def _row(self, shelf: Shelf, group: Group) -> FindingRow:
        members = tuple(
            _finding_row(
                one,
                next(self.anchors),
                self.linker,
                self.code.get((one.path, one.line)),
                self.told.get(one.rule),
            )
            for one in group.shown
        )
        if len(group.all) == 1:
            return members[0]
        row = _group_row(group, members)
        return _rule_row(row, shelf, group) if group.rule else _library_row(row, group)


def _group_row(group: Group, members: tuple[FindingRow, ...]) -> FindingRow:
    """What a row has that stands for several findings, whatever they have in common."""
    return replace(
        members[0],
        severity=group.severity.value,
        verdict=group.verdict.value,
        symbol_anchor="",
        hip="",
        function="",
        more_sites=group.sites - 1,
        sites=(),
        sites_left=0,
        fix="",
        driver="",
        driver_anchor="",
        hours=group.hours[1],
        hours_words=_hours_words(group.hours, {finding.driver for finding in group.all}),
        priced_with=_priced_with(group),
        evidence=(),
        code=None,
        drivers=tuple(sorted({finding.driver for finding in group.all} - {""})),
        tiers=tuple(sorted({finding.tier.value for finding in group.all})),
        severities=tuple(sorted({finding.severity.value for finding in group.all})),
        verdicts=tuple(sorted({finding.verdict.value for finding in group.all})),
        members=members,
        members_left=len(group.all) - len(members),
    )


def _hours_words(hours: tuple[float, float, float], drivers: set[str]) -> str:
    """Hours as a reader says them; work that a fixed price holds says so instead of 0."""
    if not hours[1] and drivers == {Driver.ECOSYSTEM_FIXED.value}:
        return "in the fixed price"
    low, likely, high = map(significant, hours)
    return f"{likely} ({low} to {high})"


def _priced_with(group: Group) -> str:
    """The rules that have the hours of a whole group, "" where it has some of its own."""
    if group.hours[1]:
        return ""
    return ", ".join(sorted({finding.priced_with for finding in group.all} - {""}))


def _rule_row(row: FindingRow, shelf: Shelf, group: Group) -> FindingRow:
    functions = len({(finding.path, finding.function) for finding in group.all})
    files = plural(len({finding.path for finding in group.all}), "file")
    inside = any(finding.function for finding in group.all)
    return replace(
        row,
        anchor=group_anchor(row.rule, shelf.value, row.state),
        symbol="",
        message="",
        spread=f"in {plural(functions, 'function')} of {files}" if inside else f"in {files}",
    )


def _library_row(row: FindingRow, group: Group) -> FindingRow:
    known = known_components()[group.library]
    instead = f"; {known.rocm} does its job" if known.rocm else ""
    return replace(
        row,
        anchor=group_anchor(group.library, row.place.path, row.state),
        symbol=known.title,
        hip=known.rocm,
        message=(
            f"{known.title} is replaced as a whole{instead}: "
            f"{plural(len(group.all), 'finding')} at {plural(group.sites, 'place')} in this file."
        ),
    )


def _first_excerpts(
    findings: Sequence[Finding], excerpts: Mapping[tuple[str, int], Excerpt], limit: int
) -> dict[tuple[str, int], Excerpt]:
    places = dict.fromkeys((row.path, row.line) for row in findings)
    present = [place for place in places if place in excerpts]
    return {place: excerpts[place] for place in present[:limit]}


def _finding_row(
    finding: Finding,
    anchor: str,
    linker: Linker,
    excerpt: Excerpt | None,
    told: RuleTold | None,
) -> FindingRow:
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
        message=detail_of(finding, told) if told else finding.message,
        fix="" if told and finding.fix == told.fix else finding.fix,
        driver=finding.driver,
        driver_anchor=driver_anchor(finding.driver) if finding.driver in linker.drivers else "",
        hours=finding.hours[1],
        hours_words=_hours_words(finding.hours, {finding.driver}),
        priced_with=finding.priced_with,
        archs=", ".join(finding.archs),
        seen_by=finding.seen_by.value,
        condition=finding.sites[0].condition,
        evidence=linker.evidence.get(finding.symbol, ()),
        code=_code(excerpt, finding) if excerpt else None,
        drivers=(finding.driver,) if finding.driver else (),
        tiers=(finding.tier.value,),
        severities=(finding.severity.value,),
        verdicts=(finding.verdict.value,),
        told=told,
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
