"""The page as rows, totals and words, before any HTML: what the template only has to lay out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrate.model.age import age_of
from migrate.model.assessment import Assessment, Component, GroupRow, Project
from migrate.model.source import Skipped
from migrate.model.verdict import Severity, State, Verdict
from migrate.report.compiler import compiler_line
from migrate.report.html.anchors import file_anchor
from migrate.report.html.charts import StackedBar, bar_width, stacked_bar
from migrate.report.html.driver_names import hazard_kinds
from migrate.report.html.effort_view import (
    DriverRows,
    DriverView,
    EffortView,
    driver_views,
    effort_view,
)
from migrate.report.html.evidence import Link, evidence_links
from migrate.report.html.headline import Tile, in_short, summary_tiles
from migrate.report.html.places import Limits, Shown
from migrate.report.html.rows import ApiView, Tables, long_tables
from migrate.report.html.rule_rows import RuleRow, rule_rows
from migrate.report.mechanical import mechanical_findings
from migrate.report.numbers import count, percent, plural, share, significant
from migrate.report.ranking import (
    Shelf,
    cuda_only_apis,
    hot_files,
    shelf_of,
    skip_reasons,
    unread,
)
from migrate.report.words import FILE_HOURS, IN_SHORT
from migrate.report.wrappers import wrapper_line

_HOT_FILES = 10
_TOP_NAMES = 12
_SKIPPED = 500
_GROUPS = 25
_WHERE = 5
_WRAPPERS = 5


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A verdict of the overall distribution."""

    verdict: str
    uses: int
    percent: str
    words: str
    cuda_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A library or a directory."""

    name: str
    files: int
    uses: int
    bar: StackedBar
    cuda_only: int
    cuda_only_percent: str
    hours: float
    hours_words: str


@dataclass(frozen=True, slots=True)
class GroupTable:
    """Groups, most hours first."""

    rows: tuple[GroupView, ...]
    shown: Shown
    with_hours: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HotFile:
    """A file where much of the work is."""

    path: str
    anchor: str
    hours_words: str
    share: str
    width: str
    findings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything on the page, in its order."""

    name: str
    rocm: str
    archs: str
    cuda: str
    commit: str
    dirty: bool
    version: str
    tables_as_of: str
    tables_age: str
    compiler: str
    complete: bool
    incomplete_reason: str
    candidates_unread: int
    in_short: tuple[str, ...]
    tiles: tuple[Tile, ...]
    effort: EffortView
    drivers: tuple[DriverView, ...]
    bar: StackedBar
    verdicts: tuple[VerdictRow, ...]
    libraries: GroupTable
    directories: GroupTable
    hot_files: tuple[HotFile, ...]
    file_hours: str
    top_names: tuple[ApiView, ...]
    top_names_shown: Shown
    severities: tuple[tuple[str, int], ...]
    rules: tuple[RuleRow, ...]
    tables: Tables
    components: tuple[tuple[Component, tuple[Link, ...]], ...]
    where_shown: int
    project: tuple[tuple[str, str], ...]
    skipped: tuple[Skipped, ...]
    skipped_shown: Shown
    skipped_reasons: tuple[tuple[str, int], ...]
    settings: tuple[tuple[str, str], ...]


def view_page(assessment: Assessment, limits: Limits | None = None) -> Page:
    """Make the page of an assessment; with ``--all-uses`` mechanical uses are findings too."""
    assessment = replace(
        assessment, findings=(*assessment.findings, *mechanical_findings(assessment)), uses=()
    )
    summary = assessment.summary
    target = assessment.target
    titles = {row.name: row.title for row in assessment.libraries}
    tables = long_tables(assessment, titles, limits or Limits())
    top_names = _top_names(tables)
    skipped = sorted(assessment.skipped, key=lambda row: (not row.candidate, row.path, row.reason))
    severities = Counter(row.severity for row in assessment.findings if shelf_of(row) is Shelf.WORK)
    return Page(
        name=assessment.root_name,
        rocm=str(target.rocm),
        archs=", ".join(target.archs),
        cuda=_cuda(assessment),
        commit=assessment.commit[:12],
        dirty=bool(assessment.dirty),
        version=assessment.version,
        tables_as_of=assessment.tables_as_of,
        tables_age=str(age_of(assessment)),
        compiler=compiler_line(assessment.semantic),
        complete=assessment.complete,
        incomplete_reason=assessment.incomplete_reason,
        candidates_unread=len(unread(assessment)),
        in_short=in_short(assessment),
        tiles=summary_tiles(assessment),
        effort=effort_view(summary.effort),
        drivers=driver_views(summary.effort.drivers, _driver_rows(assessment, tables)),
        file_hours=FILE_HOURS,
        bar=stacked_bar(summary.verdicts),
        verdicts=_verdicts(summary.verdicts),
        libraries=_groups(assessment.libraries),
        directories=_groups(assessment.directories),
        hot_files=_hot_files(assessment, tables),
        top_names=top_names,
        top_names_shown=Shown(len(top_names), len(cuda_only_apis(assessment))),
        severities=tuple((word.value, severities[word]) for word in reversed(Severity)),
        rules=rule_rows(assessment.findings, assessment.rules, _first_rows(tables)),
        tables=tables,
        components=tuple(
            (row, evidence_links(row.evidence))
            for row in sorted(
                assessment.components, key=lambda row: (-row.verdict.rank, row.kind, row.name)
            )
        ),
        where_shown=_WHERE,
        project=_project(assessment.project),
        skipped=tuple(skipped[:_SKIPPED]),
        skipped_shown=Shown(min(len(skipped), _SKIPPED), len(skipped)),
        skipped_reasons=tuple(skip_reasons(skipped)),
        settings=tuple(
            (key, _setting(value)) for key, value in sorted(assessment.settings.items())
        ),
    )


def _cuda(assessment: Assessment) -> str:
    """What the source is written for, in the words of the head; "" where nothing tells."""
    if assessment.target.cuda:
        return f"Written for CUDA {assessment.target.cuda} ({assessment.cuda_source})"
    mixed = assessment.cuda_source.startswith("mixed")
    return f"CUDA versions {assessment.cuda_source}" if mixed else ""


def _driver_rows(assessment: Assessment, tables: Tables) -> DriverRows:
    findings: defaultdict[str, list[str]] = defaultdict(list)
    for row in tables.findings.rows:
        for one in row.members or (row,):
            findings[one.driver].append(row.anchor)
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name in tables.apis:
        if name.state == State.ACTIVE and name.anchor:
            names[name.driver].append(name.anchor)
    kinds = hazard_kinds(assessment.summary.effort.drivers, assessment.findings)
    return DriverRows(findings, names, kinds)


def _first_rows(tables: Tables) -> dict[str, str]:
    """The anchor of each rule's first row on the page."""
    first: dict[str, str] = {}
    for table in (tables.findings, tables.possible, tables.opportunities):
        for row in table.rows:
            first.setdefault(row.rule, row.anchor)
    return first


def _verdicts(verdicts: dict[Verdict, int]) -> tuple[VerdictRow, ...]:
    total = sum(verdicts.values())
    return tuple(
        VerdictRow(
            verdict.value,
            verdicts.get(verdict, 0),
            percent(share(verdicts.get(verdict, 0), total)),
            IN_SHORT[verdict],
            verdict.cuda_only,
        )
        for verdict in Verdict
    )


def _groups(rows: tuple[GroupRow, ...]) -> GroupTable:
    used = sorted(
        (row for row in rows if row.uses), key=lambda row: (-row.hours, -row.uses, row.name)
    )
    shown = tuple(_group(row) for row in used[:_GROUPS])
    return GroupTable(shown, Shown(len(shown), len(used)), any(row.hours for row in used))


def _group(row: GroupRow) -> GroupView:
    cuda_only = sum(number for verdict, number in row.verdicts.items() if verdict.cuda_only)
    return GroupView(
        name=row.title or row.name or "(top folder)",
        files=row.files,
        uses=row.uses,
        bar=stacked_bar(row.verdicts),
        cuda_only=cuda_only,
        cuda_only_percent=percent(share(cuda_only, row.uses)),
        hours=row.hours,
        hours_words=significant(row.hours),
    )


def _hot_files(assessment: Assessment, tables: Tables) -> tuple[HotFile, ...]:
    rows = hot_files(assessment)
    total = sum(row.hours for row in rows)
    top = max((row.hours for row in rows), default=0.0)
    listed = {row.anchor for row in tables.files}
    return tuple(
        HotFile(
            path=row.path,
            anchor=anchor if (anchor := file_anchor(row.path)) in listed else "",
            hours_words=significant(row.hours),
            share=percent(share(row.hours, total)),
            width=bar_width(row.hours, top),
            findings=row.findings,
        )
        for row in rows[:_HOT_FILES]
    )


def _top_names(tables: Tables) -> tuple[ApiView, ...]:
    names = (
        row for row in tables.apis if row.state == State.ACTIVE and Verdict(row.verdict).cuda_only
    )
    return tuple(sorted(names, key=lambda row: (-row.uses, row.name))[:_TOP_NAMES])


def _project(project: Project) -> tuple[tuple[str, str], ...]:
    def listed(words: tuple[str, ...]) -> str:
        return ", ".join(words) or "none found"

    where = f" ({', '.join(project.hip_where)})" if project.hip_where else ""
    gpu, rocm = ("yes" if fact else "no" for fact in (project.ci_gpu, project.ci_rocm))
    return (
        ("Build", listed(project.build)),
        ("Builds without CUDA", "yes" if project.cuda_optional else "no"),
        ("CUDA architectures named", listed(project.cuda_archs)),
        ("HIP support so far", f"{project.hip_support}{where}"),
        ("Files that the HIP build has already", count(project.hip_files)),
        ("Tests", f"{listed(project.test_frameworks)}; {plural(project.test_files, 'file')}"),
        ("CI", f"{listed(project.ci_systems)}; GPU runner: {gpu}; ROCm: {rocm}"),
        ("Packages and images published", count(project.packages)),
        *_wrappers(project),
    )


def _wrappers(project: Project) -> Iterator[tuple[str, str]]:
    """The headers that wrap CUDA's names, the first few of many."""
    head = "Wrapper header"
    for layer in project.wrappers[:_WRAPPERS]:
        yield head, wrapper_line(layer)
    if len(project.wrappers) > _WRAPPERS:
        left = len(project.wrappers) - _WRAPPERS
        yield "Wrapper headers", f"and {count(left)} more, in the JSON"


def _setting(value: str | float | list[str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)
