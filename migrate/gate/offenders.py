"""The names and rules that weigh most on a gate's figures, so that a failed one says where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from migrate.model.assessment import Assessment
from migrate.model.verdict import State, Verdict

_MOST = 5
_CUDA_ONLY = frozenset(verdict.value for verdict in Verdict if verdict.cuda_only)


@dataclass(frozen=True, slots=True)
class Offender:
    """A CUDA name or a rule, what weighs in it, and its first place (``path:line``, or "")."""

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
    """An active finding: its CUDA name, its rule, verdict, most likely hours and first place."""

    symbol: str
    rule: str
    verdict: str
    hours: float
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Offenders:
    """The names behind the CUDA-only share, names and rules behind the effort; heaviest first."""

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
        _Problem(row.symbol, row.rule, row.verdict.value, row.hours[1], row.path, row.line)
        for row in assessment.findings
        if row.state is State.ACTIVE
    ]
    return _heaviest(names, problems, {rule.id: rule.title for rule in assessment.rules})


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
        _Problem(name, rule, verdict, _likely(row.get("effort")), path, line)
        for row in _active(document.get("findings"))
        if isinstance(name := row.get("symbol"), str)
        and isinstance(rule := row.get("rule", ""), str)
        and isinstance(verdict := row.get("verdict"), str)
        and isinstance(path := row.get("path"), str)
        and isinstance(line := row.get("line"), int)
    ]
    return _heaviest(names, problems, _titles(document.get("rules")))


def _titles(rows: object) -> dict[str, str]:
    """The titles of a saved result's rules; a result of an older version has none."""
    return {
        rule: title
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict)
        and isinstance(rule := row.get("id"), str)
        and isinstance(title := row.get("title"), str)
    }


def _active(rows: object) -> Iterator[Mapping[str, object]]:
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("state") == State.ACTIVE.value:
            yield row


def _likely(effort: object) -> float:
    hours = effort.get("hours") if isinstance(effort, dict) else None
    likely = hours[1] if isinstance(hours, list) and len(hours) > 1 else 0.0
    return float(likely) if isinstance(likely, int | float) else 0.0


@dataclass(slots=True)
class _Gathered:
    """What the findings say of each name, and of each rule under its id and title."""

    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    hours: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    verdicts: dict[str, str] = field(default_factory=dict)
    raised: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    """The rules that found a name with a verdict."""

    def add(self, problem: _Problem, titles: Mapping[str, str]) -> None:
        """Take a finding in; one of a rule weighs for the rule, not for the name at its place."""
        name, place = problem.symbol, (problem.path, problem.line)
        if problem.rule in titles:
            self.raised[problem.symbol, problem.verdict].add(problem.rule)
            name = f"{problem.rule} ({titles[problem.rule]})"
        for one in {name, problem.symbol}:
            self.places[one] = min(place, self.places.get(one, place))
        self.hours[name] += problem.hours
        self.verdicts.setdefault(name, problem.verdict)


def _heaviest(
    names: Iterable[_Name], problems: Iterable[_Problem], titles: Mapping[str, str]
) -> Offenders:
    """The heaviest names by uses, and names and rules by hours."""
    found = _Gathered()
    for problem in problems:
        found.add(problem, titles)
    hours = found.hours
    cuda_only = sorted(
        (row for row in names if row.verdict in _CUDA_ONLY), key=lambda row: (-row.uses, row.name)
    )
    costly = sorted((name for name in hours if hours[name] > 0), key=lambda it: (-hours[it], it))
    return Offenders(
        tuple(
            Offender(row.name, _weighs(row, found), _place(found.places, row.name))
            for row in cuda_only[:_MOST]
        ),
        tuple(
            Offender(
                name,
                f"{found.verdicts[name]}, {_in_hours(hours[name])}",
                _place(found.places, name),
            )
            for name in costly[:_MOST]
        ),
    )


def _weighs(row: _Name, found: _Gathered) -> str:
    rules = sorted(found.raised.get((row.name, row.verdict), ()))
    return ", ".join((row.verdict, _counted(row.uses), *rules))


def _place(places: Mapping[str, tuple[str, int]], name: str) -> str:
    return "{}:{}".format(*places[name]) if name in places else ""


def _counted(uses: int) -> str:
    return "1 use" if uses == 1 else f"{uses} uses"


def _in_hours(hours: float) -> str:
    return "under 0.1 hours" if round(hours, 1) == 0 else f"{hours:.1f} hours"
