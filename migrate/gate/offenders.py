"""The names that weigh most on a gate's figures, so that a failed one says where to look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from migrate.model.assessment import Assessment
from migrate.model.verdict import State, Verdict

_MOST = 5
_CUDA_ONLY = frozenset(verdict.value for verdict in Verdict if verdict.cuda_only)


@dataclass(frozen=True, slots=True)
class Offender:
    """A CUDA name, what weighs in it, and its first place (``path:line``, "" for none)."""

    name: str
    words: str
    place: str


@dataclass(frozen=True, slots=True)
class _Name:
    """An active use count of a name with one verdict."""

    name: str
    verdict: str
    uses: int


@dataclass(frozen=True, slots=True)
class _Problem:
    """An active finding: its name, verdict, most likely hours and first place."""

    name: str
    verdict: str
    hours: float
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Offenders:
    """The names behind the CUDA-only share, and those behind the effort; heaviest first."""

    by_uses: tuple[Offender, ...] = ()
    by_hours: tuple[Offender, ...] = ()


def offenders_of(assessment: Assessment) -> Offenders:
    """The heaviest names of an assessment."""
    names = [
        _Name(row.name, row.verdict.value, row.uses)
        for row in assessment.apis
        if row.state is State.ACTIVE
    ]
    problems = [
        _Problem(row.symbol, row.verdict.value, row.hours[1], row.path, row.line)
        for row in assessment.findings
        if row.state is State.ACTIVE
    ]
    return _heaviest(names, problems)


def offenders_from_json(document: Mapping[str, object]) -> Offenders:
    """The heaviest names of a saved result; a row that is none of ours says nothing."""
    names = [
        _Name(name, verdict, uses)
        for row in _active(document.get("apis"))
        if isinstance(name := row.get("name"), str)
        and isinstance(verdict := row.get("verdict"), str)
        and isinstance(uses := row.get("uses"), int)
    ]
    problems = [
        _Problem(name, verdict, _likely(row.get("effort")), path, line)
        for row in _active(document.get("findings"))
        if isinstance(name := row.get("symbol"), str)
        and isinstance(verdict := row.get("verdict"), str)
        and isinstance(path := row.get("path"), str)
        and isinstance(line := row.get("line"), int)
    ]
    return _heaviest(names, problems)


def _active(rows: object) -> Iterator[Mapping[str, object]]:
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("state") == State.ACTIVE.value:
            yield row


def _likely(effort: object) -> float:
    hours = effort.get("hours") if isinstance(effort, dict) else None
    likely = hours[1] if isinstance(hours, list) and len(hours) > 1 else 0.0
    return float(likely) if isinstance(likely, int | float) else 0.0


def _heaviest(names: Iterable[_Name], problems: Iterable[_Problem]) -> Offenders:
    places: dict[str, tuple[str, int]] = {}
    hours: dict[str, float] = defaultdict(float)
    verdicts: dict[str, str] = {}
    for problem in problems:
        place = (problem.path, problem.line)
        places[problem.name] = min(place, places.get(problem.name, place))
        hours[problem.name] += problem.hours
        verdicts.setdefault(problem.name, problem.verdict)
    cuda_only = sorted(
        (row for row in names if row.verdict in _CUDA_ONLY), key=lambda row: (-row.uses, row.name)
    )
    costly = sorted((name for name in hours if hours[name] > 0), key=lambda it: (-hours[it], it))
    return Offenders(
        tuple(
            Offender(row.name, f"{row.verdict}, {_counted(row.uses)}", _place(places, row.name))
            for row in cuda_only[:_MOST]
        ),
        tuple(
            Offender(name, f"{verdicts[name]}, {_in_hours(hours[name])}", _place(places, name))
            for name in costly[:_MOST]
        ),
    )


def _place(places: Mapping[str, tuple[str, int]], name: str) -> str:
    return "{}:{}".format(*places[name]) if name in places else ""


def _counted(uses: int) -> str:
    return "1 use" if uses == 1 else f"{uses} uses"


def _in_hours(hours: float) -> str:
    return "under 0.1 hours" if round(hours, 1) == 0 else f"{hours:.1f} hours"
