"""The rows of the report's long tables: findings, names, files, each with its links and its cap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from migrate.model.assessment import ApiRow, Assessment, Excerpt, FileRow
from migrate.model.finding import Finding
from migrate.model.verdict import State
from migrate.report.html.anchors import (
    api_anchor,
    driver_anchor,
    file_anchor,
    finding_anchors,
    rule_anchor,
)
from migrate.report.html.charts import StackedBar, stacked_bar
from migrate.report.html.evidence import Link, evidence_links
from migrate.report.numbers import count, significant
from migrate.report.ranking import ranked_findings
from migrate.report.words import FLAG_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many rows the page holds; what is left out is counted beside the total."""

    findings: int = 2500
    excerpts: int = 800
    sites: int = 12
    apis: int = 2000
    places: int = 4
    files: int = 3000


@dataclass(frozen=True, slots=True)
class Shown:
    """How many rows of a table are on the page."""

    shown: int
    total: int

    @property
    def words(self) -> str:
        """``9``, or ``showing 2,500 of 20,000; the rest is in the JSON``."""
        if self.shown == self.total:
            return count(self.total)
        return f"showing {count(self.shown)} of {count(self.total)}; the rest is in the JSON"


@dataclass(frozen=True, slots=True)
class Place:
    """A path and line, with the anchor of the file's row ("" where it has none on the page)."""

    path: str
    line: int
    anchor: str


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
    """A finding as the page shows it."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiView:
    """A CUDA name as the page shows it; ``anchor`` is "" on a name's second row."""

    anchor: str
    name: str
    library: str
    verdict: str
    hip: str
    state: str
    uses: int
    files: int
    flags: tuple[str, ...]
    since: str
    better: str
    note: str
    evidence: tuple[Link, ...]
    places: tuple[Place, ...]
    places_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """A file as the page shows it."""

    anchor: str
    path: str
    language: str
    lines: int
    uses: int
    beside: str
    bar: StackedBar
    cuda_only: int
    kernels: int
    findings: int
    first_finding: str
    hours: float
    hours_words: str
    vendored: bool
    error_nodes: int


@dataclass(frozen=True, slots=True)
class Tables:
    """The three long tables with what they show of the whole."""

    findings: tuple[FindingRow, ...]
    findings_shown: Shown
    with_code: int
    apis: tuple[ApiView, ...]
    apis_shown: Shown
    files: tuple[FileView, ...]
    files_shown: Shown
    files_without: int


def long_tables(assessment: Assessment, libraries: Mapping[str, str], limits: Limits) -> Tables:
    """Rank, cap and link the findings, names and files of an assessment."""
    ranked = ranked_findings(assessment)
    findings = ranked[: limits.findings]
    anchors = finding_anchors(findings)
    apis = sorted(assessment.apis, key=_api_order)
    touched = [
        row for row in assessment.files if row.uses or row.kernels or row.findings or row.hours
    ]
    files = sorted(touched, key=lambda row: (-row.hours, -row.cuda_only, -row.uses, row.path))
    linker = _Linker(
        files={row.path for row in files[: limits.files]},
        apis={row.name for row in apis[: limits.apis]},
        drivers={row.id for row in assessment.summary.effort.drivers},
        evidence={row.name: evidence_links(row.evidence) for row in apis},
        limits=limits,
    )
    first_finding: dict[str, str] = {}
    for finding, anchor in zip(findings, anchors, strict=True):
        first_finding.setdefault(finding.path, anchor)
    excerpts = _first_excerpts(findings, assessment.excerpts, limits.excerpts)
    return Tables(
        findings=tuple(
            _finding_row(finding, anchor, linker, excerpts.get((finding.path, finding.line)))
            for finding, anchor in zip(findings, anchors, strict=True)
        ),
        findings_shown=Shown(len(findings), len(ranked)),
        with_code=sum((row.path, row.line) in excerpts for row in findings),
        apis=tuple(_api_views(apis[: limits.apis], libraries, linker)),
        apis_shown=Shown(min(len(apis), limits.apis), len(apis)),
        files=tuple(
            _file_view(row, first_finding.get(row.path, "")) for row in files[: limits.files]
        ),
        files_shown=Shown(min(len(files), limits.files), len(files)),
        files_without=len(assessment.files) - len(touched),
    )


def _first_excerpts(
    findings: Sequence[Finding], excerpts: Mapping[tuple[str, int], Excerpt], limit: int
) -> dict[tuple[str, int], Excerpt]:
    places = dict.fromkeys((row.path, row.line) for row in findings)
    present = [place for place in places if place in excerpts]
    return {place: excerpts[place] for place in present[:limit]}


@dataclass(frozen=True, slots=True)
class _Linker:
    files: set[str]
    apis: set[str]
    drivers: set[str]
    evidence: Mapping[str, tuple[Link, ...]]
    limits: Limits

    def place(self, path: str, line: int) -> Place:
        return Place(path, line, file_anchor(path) if path in self.files else "")

    def symbol(self, name: str) -> str:
        return api_anchor(name) if name in self.apis else ""


def _finding_row(
    finding: Finding, anchor: str, linker: _Linker, excerpt: Excerpt | None
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
        symbol=finding.symbol,
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


def _api_order(row: ApiRow) -> tuple[bool, int, int, str, str]:
    return (row.state is not State.ACTIVE, -row.verdict.rank, -row.uses, row.name, row.state.value)


def _api_views(
    rows: Sequence[ApiRow], libraries: Mapping[str, str], linker: _Linker
) -> Iterable[ApiView]:
    seen: set[str] = set()
    for row in rows:
        anchor = "" if row.name in seen else api_anchor(row.name)
        seen.add(row.name)
        places = row.places[: linker.limits.places]
        yield ApiView(
            anchor=anchor,
            name=row.name,
            library=libraries.get(row.library, row.library),
            verdict=row.verdict.value,
            hip=row.hip,
            state=row.state.value,
            uses=row.uses,
            files=row.files,
            flags=tuple(FLAG_WORDS[flag] for flag in row.flags),
            since=row.since,
            better=row.better,
            note=row.note,
            evidence=linker.evidence.get(row.name, ()),
            places=tuple(linker.place(path, line) for path, line in places),
            places_left=max(0, row.uses - len(places)),
        )


def _file_view(row: FileRow, first_finding: str) -> FileView:
    others = (State.PORTED, State.HIP, State.VENDORED)
    beside = [f"{count(row.states[state])} {state}" for state in others if row.states.get(state)]
    return FileView(
        anchor=file_anchor(row.path),
        path=row.path,
        language=row.language.value,
        lines=row.lines,
        uses=sum(row.verdicts.values()),
        beside=", ".join(beside),
        bar=stacked_bar(row.verdicts),
        cuda_only=row.cuda_only,
        kernels=row.kernels,
        findings=row.findings,
        first_finding=first_finding,
        hours=row.hours,
        hours_words=significant(row.hours),
        vendored=row.vendored,
        error_nodes=max(0, row.error_nodes),
    )
