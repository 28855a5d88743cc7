"""Sums over classified uses: by name, file, folder and library, and the CUDA-only shares."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from migrate.classify.uses import ClassifiedFile
from migrate.model.assessment import ApiRow, FileRow, GroupRow, Shares
from migrate.model.resolution import Resolution
from migrate.model.source import Language
from migrate.model.verdict import State, Verdict

_PLACES = 25


@dataclass(slots=True)
class _Name:
    answer: Resolution
    uses: int = 0
    files: set[str] = field(default_factory=set)
    places: list[tuple[str, int]] = field(default_factory=list)


def api_rows(files: Sequence[ClassifiedFile]) -> tuple[ApiRow, ...]:
    """One row a name, verdict and state, in order of name.

    Two call forms of a name that become two HIP names with one verdict share a row; it shows the
    first, and each finding its own.
    """
    names: dict[tuple[str, Verdict, State], _Name] = {}
    for file in files:
        path, lines = file.facts.path, file.facts.uses.line
        for row, answer in enumerate(file.answers):
            key = (answer.name, answer.verdict, file.state(row))
            entry = names.get(key)
            if entry is None:
                entry = names[key] = _Name(answer)
            entry.uses += 1
            entry.files.add(path)
            if len(entry.places) < _PLACES:
                entry.places.append((path, lines[row]))
    rows = [_api_row(entry, state) for (_, _, state), entry in names.items()]
    return tuple(sorted(rows, key=lambda row: (row.name, row.verdict.rank, row.state)))


def _api_row(entry: _Name, state: State) -> ApiRow:
    answer = entry.answer
    return ApiRow(
        name=answer.name,
        library=answer.library,
        verdict=answer.verdict,
        hip=answer.hip,
        state=state,
        uses=entry.uses,
        files=len(entry.files),
        flags=answer.flags,
        since=str(answer.since or ""),
        better=str(answer.better or ""),
        note=answer.note,
        evidence=tuple(evidence.url for evidence in answer.evidence),
        places=tuple(dict.fromkeys(entry.places)),
    )


def file_rows(
    files: Sequence[ClassifiedFile],
    vendored: Collection[str],
    findings: Mapping[str, int],
    hours: Mapping[str, float],
) -> tuple[FileRow, ...]:
    """One row a file; ``findings`` and ``hours`` are by path.

    A file around the code has one where something is found in it.
    """
    rows = []
    for file in files:
        facts = file.facts
        if facts.signals and not facts.code_lines and not findings.get(facts.path):
            continue
        states = Counter(file.state(row) for row in range(len(file.answers)))
        verdicts = Counter(file.answers[row].verdict for row in file.active_rows())
        rows.append(
            FileRow(
                path=facts.path,
                language=facts.language,
                lines=facts.lines,
                code_lines=facts.code_lines,
                uses=len(file.answers),
                verdicts=_by_verdict(verdicts),
                states={state: states[state] for state in State if states[state]},
                kernels=sum(1 for function in facts.functions if function.kernel),
                findings=findings.get(facts.path, 0),
                hours=hours.get(facts.path, 0.0),
                error_nodes=facts.error_nodes,
                utf8=facts.utf8,
                vendored=facts.path in vendored,
            )
        )
    return tuple(rows)


def _by_verdict(counts: Mapping[Verdict, int]) -> dict[Verdict, int]:
    return {verdict: counts.get(verdict, 0) for verdict in Verdict}


def directory_rows(files: Sequence[FileRow]) -> tuple[GroupRow, ...]:
    """One row a folder with uses: the sums of the files directly in it."""
    groups: dict[str, list[FileRow]] = defaultdict(list)
    for row in files:
        if row.uses:
            groups[row.path.rpartition("/")[0] or "."].append(row)
    return tuple(
        GroupRow(
            name=name,
            title=name,
            files=len(rows),
            uses=sum(sum(row.verdicts.values()) for row in rows),
            verdicts=_sum_verdicts(row.verdicts for row in rows),
            hours=sum(row.hours for row in rows),
            lines=sum(row.lines for row in rows),
        )
        for name, rows in sorted(groups.items())
    )


def _sum_verdicts(rows: Iterable[Mapping[Verdict, int]]) -> dict[Verdict, int]:
    total: Counter[Verdict] = Counter()
    for row in rows:
        total.update(row)
    return _by_verdict(total)


def library_rows(
    files: Sequence[ClassifiedFile], titles: Mapping[str, str]
) -> tuple[GroupRow, ...]:
    """One row a library whose names are in active use; "" stands for names that no table knows."""
    verdicts: dict[str, Counter[Verdict]] = defaultdict(Counter)
    paths: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for row in file.active_rows():
            answer = file.answers[row]
            verdicts[answer.library][answer.verdict] += 1
            paths[answer.library].add(file.facts.path)
    return tuple(
        GroupRow(
            name=library or "unknown",
            title=titles.get(library, library) or "Unknown names",
            files=len(paths[library]),
            uses=sum(counts.values()),
            verdicts=_by_verdict(counts),
        )
        for library, counts in sorted(verdicts.items())
    )


def shares_of(files: Sequence[ClassifiedFile]) -> Shares:
    """The CUDA-only share of the active uses by use, by distinct name, by line (contract).

    By line: of the lines of all functions with an active use, those of functions with a CUDA-only
    one; at file scope a line stands for itself. A name with several verdicts counts by its worst.
    """
    uses = cuda_only = 0
    worst: dict[str, int] = {}
    lines: dict[tuple[str, int, int], bool] = {}
    for file in files:
        table, path = file.facts.uses, file.facts.path
        for row in file.active_rows():
            verdict = file.answers[row].verdict
            uses += 1
            cuda_only += verdict.cuda_only
            name = file.answers[row].name
            worst[name] = max(worst.get(name, 0), verdict.rank)
            function = file.function(row)
            first, last = function.line, function.end_line
            if not function.name and not first:
                first = last = table.line[row]
            key = (path, first, last)
            lines[key] = lines.get(key, False) or verdict.cuda_only
    if not uses:
        return Shares(0.0, 0.0, 0.0)
    later = Verdict.LATER.rank
    return Shares(
        by_use=cuda_only / uses,
        by_name=sum(rank >= later for rank in worst.values()) / len(worst),
        by_line=sum(last - first + 1 for (_, first, last), bad in lines.items() if bad)
        / sum(last - first + 1 for _, first, last in lines),
    )


def is_cuda_file(language: Language, path: str) -> bool:
    """Whether a file is CUDA by its kind: its whole text is GPU code to review."""
    return language is Language.CUDA or path.endswith((".cu", ".cuh"))
