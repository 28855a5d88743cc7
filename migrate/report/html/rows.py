"""The rows of the report's long tables: names and files beside findings, with links and caps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from migrate.model.assessment import ApiRow, Assessment, FileRow
from migrate.model.verdict import State
from migrate.report.html.anchors import api_anchor, file_anchor
from migrate.report.html.charts import StackedBar, stacked_bar
from migrate.report.html.driver_names import driver_of_name
from migrate.report.html.evidence import Link, evidence_links
from migrate.report.html.finding_rows import FindingTable, finding_tables
from migrate.report.html.kernel_rows import KernelTable, kernel_table
from migrate.report.html.places import Limits, Linker, Place, PlaceLines, Shown
from migrate.report.numbers import count, significant
from migrate.report.words import FLAG_WORDS, shown_name


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
    where: tuple[PlaceLines, ...]
    places_shown: int
    places_left: int
    driver: str


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
    """The long tables with what they show of the whole."""

    findings: FindingTable
    possible: FindingTable
    opportunities: FindingTable
    apis: tuple[ApiView, ...]
    apis_shown: Shown
    files: tuple[FileView, ...]
    files_shown: Shown
    files_without: int
    kernels: KernelTable


def long_tables(assessment: Assessment, libraries: Mapping[str, str], limits: Limits) -> Tables:
    """Rank, cap and link the findings, names, files and kernels of an assessment."""
    apis = sorted(assessment.apis, key=_api_order)
    touched = [
        row for row in assessment.files if row.uses or row.kernels or row.findings or row.hours
    ]
    files = sorted(touched, key=lambda row: (-row.hours, -row.cuda_only, -row.uses, row.path))
    linker = Linker(
        files={row.path for row in files[: limits.files]},
        apis={row.name for row in apis[: limits.apis]},
        drivers={row.id for row in assessment.summary.effort.drivers},
        evidence={row.name: evidence_links(row.evidence) for row in apis},
        limits=limits,
    )
    tables = finding_tables(assessment, linker)
    first_finding: dict[str, str] = {}
    for row in (*tables.work.rows, *tables.possible.rows, *tables.opportunities.rows):
        for one in row.members or (row,):
            first_finding.setdefault(one.place.path, one.anchor)
    return Tables(
        findings=tables.work,
        possible=tables.possible,
        opportunities=tables.opportunities,
        apis=tuple(_api_views(apis[: limits.apis], libraries, linker)),
        apis_shown=Shown(min(len(apis), limits.apis), len(apis)),
        files=tuple(
            _file_view(row, first_finding.get(row.path, "")) for row in files[: limits.files]
        ),
        files_shown=Shown(min(len(files), limits.files), len(files)),
        files_without=len(assessment.files) - len(touched),
        kernels=kernel_table(assessment, linker),
    )


def _api_order(row: ApiRow) -> tuple[bool, int, int, str, str]:
    return (row.state is not State.ACTIVE, -row.verdict.rank, -row.uses, row.name, row.state.value)


def _api_views(
    rows: Sequence[ApiRow], libraries: Mapping[str, str], linker: Linker
) -> Iterable[ApiView]:
    seen: set[str] = set()
    for row in rows:
        anchor = "" if row.name in seen else api_anchor(row.name)
        seen.add(row.name)
        places = row.places[: linker.limits.places]
        yield ApiView(
            anchor=anchor,
            name=shown_name(row.name),
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
            places=tuple(linker.place(path, line) for path, line in places[:1]),
            where=linker.by_file(places),
            places_shown=len(places),
            places_left=max(0, row.uses - len(places)),
            driver=driver_of_name(row),
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
