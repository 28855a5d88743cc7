"""The headline of the page: two sentences, and the tiles with the numbers of a meeting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from migrate.model.assessment import Assessment
from migrate.model.effort import Range
from migrate.model.verdict import Severity, State, Verdict
from migrate.report.caveats import caveats, unpriced_caveats
from migrate.report.numbers import count, percent, person_weeks, plural, share
from migrate.report.ranking import Shelf, shelf_of

_RESTS_ON = (
    "The estimate rests on names and places counted in the source, priced by what ports of real "
    "projects took; nothing was built or run."
)


@dataclass(frozen=True, slots=True)
class Tile:
    """One number of the summary with what stands under it."""

    title: str
    value: str
    unit: str
    lines: tuple[str, ...]


def in_short(assessment: Assessment) -> tuple[str, ...]:
    """The result in two sentences."""
    summary = assessment.summary
    active = sum(summary.verdicts.values())
    if not active:
        rest = tuple(map(_sentence, unpriced_caveats(assessment.project.unpriced)))
        where = " in C or C++" if rest else ""
        return (f"No use of CUDA was found{where} that is still to be ported.", *rest)
    mechanical = sum(number for word, number in summary.verdicts.items() if word.mechanical)
    cuda_only = sum(number for word, number in summary.verdicts.items() if word.cuda_only)
    person = active - mechanical - cuda_only
    effort = summary.effort
    uses = (
        f"Of {plural(active, 'use')} of CUDA, {percent(mechanical / active)} keep their "
        f"name or are renamed by a tool, {percent(person / active)} need a person to look or to "
        f"rewrite, and {percent(cuda_only / active)} have nothing to move to on this target."
    )
    weeks = (
        f"Getting it to run once takes {_about(effort.first_run.p50)} person-weeks; "
        f"scope {effort.scope} takes {_about(effort.total.p50)} "
        f"({person_weeks(effort.total.p10)} to {person_weeks(effort.total.p90)})."
    )
    return (uses, weeks, _RESTS_ON, *map(_sentence, caveats(assessment)))


def _sentence(caveat: str) -> str:
    return f"{caveat[:1].upper()}{caveat[1:]}."


def _about(weeks: float) -> str:
    words = person_weeks(weeks)
    return f"less than {words.removeprefix('< ')}" if words.startswith("<") else f"about {words}"


def summary_tiles(assessment: Assessment) -> tuple[Tile, ...]:
    """The numbers that a plan starts from."""
    summary = assessment.summary
    shares, effort, states = summary.shares, summary.effort, summary.states
    active, ported = (states.get(state, 0) for state in (State.ACTIVE, State.PORTED))
    same, renamed = (summary.verdicts.get(word, 0) for word in (Verdict.SAME, Verdict.RENAMED))
    work = [row for row in assessment.findings if shelf_of(row) is Shelf.WORK]
    severities = Counter(row.severity for row in work)
    others = " and ".join(
        f"{count(states.get(state, 0))} {state}" for state in (State.HIP, State.VENDORED)
    )
    return (
        Tile(
            "CUDA-only share",
            percent(shares.by_use),
            "of uses",
            (f"{percent(shares.by_name)} of names", f"{percent(shares.by_line)} of lines"),
        ),
        Tile(
            "Effort",
            person_weeks(effort.total.p50),
            "person-weeks",
            (_span(effort.total), f"{effort.scope}, {effort.strategy}"),
        ),
        Tile(
            "First run",
            person_weeks(effort.first_run.p50),
            "person-weeks",
            (_span(effort.first_run), "builds, one case runs"),
        ),
        Tile(
            "Mechanical",
            percent(share(same + renamed, active)),
            "of uses",
            (f"{count(same)} keep their name", f"{count(renamed)} renamed"),
        ),
        Tile(
            "Active uses",
            count(active),
            "",
            (
                plural(summary.distinct_names, "name"),
                f"{plural(summary.kernels, 'kernel')}, {plural(summary.launches, 'launch site')}",
            ),
        ),
        Tile(
            "Findings",
            count(len(work)),
            "",
            (
                _worst(severities),
                _not_counted(assessment),
            ),
        ),
        Tile(
            "Files",
            count(summary.files),
            "",
            (plural(summary.lines, "line"), f"{count(summary.cuda_lines)} in files with CUDA"),
        ),
        Tile(
            "Already ported",
            percent(share(ported, active + ported)),
            "of own uses",
            (
                plural(ported, "use"),
                f"beside them {others}",
            ),
        ),
    )


def _worst(severities: Mapping[Severity, int]) -> str:
    blockers = plural(severities[Severity.BLOCKER], "blocker")
    return f"{blockers}, {count(severities[Severity.MAJOR])} major"


def _not_counted(assessment: Assessment) -> str:
    """What stands beside the findings that are work."""
    shelves = Counter(map(shelf_of, assessment.findings))
    offers = shelves[Shelf.OPPORTUNITY]
    return f"beside: {count(shelves[Shelf.POSSIBLE])} possible, {plural(offers, 'note')}"


def _span(weeks: Range) -> str:
    return f"{person_weeks(weeks.p10)} to {person_weeks(weeks.p90)} (P10 to P90)"
