"""The figures that a gate compares, from an assessment or from a saved JSON result."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from migrate.errors import AssessError
from migrate.gate.offenders import Offenders, offenders_from_json, offenders_of
from migrate.model.age import TablesAge, age_of
from migrate.model.assessment import Assessment
from migrate.model.effort import Effort, Scope, Strategy, Team
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import State

_SCHEMA_VERSION = 1
_Version = TypeVar("_Version", RocmRelease, CudaVersion)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFigures:
    """What is compared, unrounded, and what has to be said beside it.

    ``share`` is the CUDA-only share by use (a fraction), ``uses`` the active uses it is a share of,
    ``weeks`` the P50 of the total effort in person-weeks for ``effort_for``; ``offenders`` are the
    names that weigh most in both. ``tables`` is how old the tables are; of a result that an older
    version saved, their months alone.
    """

    target: str
    share: float
    uses: int
    weeks: float
    effort_for: str
    complete: bool
    tables: str = ""
    offenders: Offenders = field(default_factory=Offenders)


def figures_of(assessment: Assessment) -> GateFigures:
    """The figures of an assessment just made."""
    effort: Effort = assessment.summary.effort
    return GateFigures(
        target=str(assessment.target),
        share=assessment.summary.shares.by_use,
        uses=assessment.summary.states.get(State.ACTIVE, 0),
        weeks=effort.total.p50,
        effort_for=_effort_for(effort.scope, effort.strategy, effort.team),
        complete=assessment.complete,
        tables=_tables(age_of(assessment)),
        offenders=offenders_of(assessment),
    )


def figures_from_json(text: str) -> GateFigures:
    """The figures of a result saved with ``scan --format json``.

    Raises:
        AssessError: the text is no such result, or one of another schema version.
    """
    document = _document(text)
    result = _Part(document, "")
    version = result.value("schema_version")
    if version != _SCHEMA_VERSION or isinstance(version, bool | float):
        raise _wrong(f"schema_version is {_short(version)}, and this version reads 1")
    run, summary = result.part("run"), result.part("summary")
    effort, target = summary.part("effort"), _target(run.part("target"))
    return GateFigures(
        target=str(target),
        share=summary.part("cuda_only_share").number("by_use", most=1.0),
        uses=summary.part("states").count("active"),
        weeks=effort.part("total").number("p50"),
        effort_for=_effort_for(
            Scope(effort.word("scope", tuple(Scope))),
            Strategy(effort.word("strategy", tuple(Strategy))),
            Team(effort.word("team", tuple(Team))),
        ),
        complete=run.flag("complete"),
        tables=_tables_of(run, summary, target),
        offenders=offenders_from_json(document),
    )


def _tables(age: TablesAge) -> str:
    return f"{age.as_of}; {age}"


def _tables_of(run: _Part, summary: _Part, target: Target) -> str:
    """How old the tables of a saved result were; an older version did not count the names."""
    months = run.text("tables_as_of")[:_SHOWN] if "tables_as_of" in run.values else ""
    if not months or "older_names" not in summary.values:
        return months
    return _tables(
        TablesAge(
            as_of=months,
            rocm=str(target.rocm),
            names=summary.count("distinct_names"),
            older=summary.count("older_names"),
            unconfirmed=summary.count("unconfirmed_names"),
        )
    )


def _effort_for(scope: Scope, strategy: Strategy, team: Team) -> str:
    return f"scope {scope}, strategy {strategy}, team {team}"


def _target(part: _Part) -> Target:
    archs = part.value("archs")
    if not (isinstance(archs, list) and archs and all(_is_arch(arch) for arch in archs)):
        raise _wrong(f"{part.path}archs: a list of architectures is needed, not {_short(archs)}")
    cuda = None if part.value("cuda") is None else part.version("cuda", CudaVersion.parse)
    return Target(part.version("rocm", RocmRelease.parse), tuple(archs), cuda)


def _is_arch(value: object) -> bool:
    """Whether it looks like a target ID, which may be printed; a saved file may hold anything."""
    return isinstance(value, str) and _ARCH.fullmatch(value) is not None


_ARCH = re.compile(r"[a-z0-9:+-]{1,40}")


def _document(text: str) -> Mapping[str, object]:
    try:
        document = json.loads(text.removeprefix("\N{BYTE ORDER MARK}"), parse_constant=_no_number)
    except RecursionError:
        raise _wrong("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise _wrong(f"line {error.lineno} is no JSON ({error.msg})") from None
    except ValueError as error:
        raise _wrong(str(error)) from None
    if not isinstance(document, dict):
        raise _wrong("its outermost value is no object")
    return document


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _wrong(what: str) -> AssessError:
    return AssessError(
        f"this is no result that a gate can read: {what}",
        slug="saved-result",
        hint="Make one with: hipassess scan PATH --format json -o result.json",
    )


def _short(value: object) -> str:
    """The value as a message shows it; of a long one the beginning, of a nested one the kind."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


_SHOWN = 60


@dataclass(frozen=True, slots=True)
class _Part:
    """An object of the document, and the path that leads to it."""

    values: Mapping[str, object]
    path: str

    def value(self, key: str) -> object:
        if key not in self.values:
            raise _wrong(f"{self.path}{key} is missing")
        return self.values[key]

    def part(self, key: str) -> _Part:
        value = self.value(key)
        if not isinstance(value, dict):
            raise _wrong(f"{self.path}{key}: an object is needed, not {_short(value)}")
        return _Part(value, f"{self.path}{key}.")

    def text(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            raise _wrong(f"{self.path}{key}: a text is needed, not {_short(value)}")
        return value

    def version(self, key: str, parse: Callable[[str], _Version]) -> _Version:
        value = self.text(key)
        try:
            return parse(value)
        except ValueError:
            raise _wrong(f"{self.path}{key}: not a version: {_short(value)}") from None

    def word(self, key: str, known: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in known:
            raise _wrong(f"{self.path}{key}: {_short(value)} is none of {', '.join(known)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.value(key)
        if not isinstance(value, bool):
            raise _wrong(f"{self.path}{key}: true or false is needed, not {_short(value)}")
        return value

    def number(self, key: str, most: float = math.inf) -> float:
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _wrong(f"{self.path}{key}: a number is needed, not {_short(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not (math.isfinite(number) and 0 <= number <= most):
            span = "0 or more" if math.isinf(most) else f"0 to {most:g}"
            raise _wrong(f"{self.path}{key}: {span} is possible, not {_short(value)}")
        return number

    def count(self, key: str) -> int:
        number = self.number(key)
        if not number.is_integer():
            raise _wrong(f"{self.path}{key}: a count is needed, not {_short(number)}")
        return int(number)
