"""The values of a rule's fields as YAML gives them: each read by one function, or refused."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from migrate.errors import AssessError
from migrate.knowledge.releases import parse_release
from migrate.model.rule import Example, Holds, RuleEvidence, Trait
from migrate.model.target import RocmRelease

_LONGEST_PATTERN = 200
_LONGEST_TEXT = 4000
_MOST = 200
_Word = TypeVar("_Word", bound=StrEnum)
_ID = re.compile(r"[A-Z][A-Z0-9]{0,19}(?:-[A-Z0-9]{1,20}){1,4}")


class WrongValueError(ValueError):
    """A value that a field cannot take; its text says what it takes."""


def text(value: object) -> str:
    """One or more words."""
    if isinstance(value, str) and value.strip() and len(value) <= _LONGEST_TEXT:
        return " ".join(value.split())
    raise WrongValueError(f"takes a text of up to {_LONGEST_TEXT} characters")


def code(value: object) -> str:
    """Lines of source code."""
    if isinstance(value, str) and len(value) <= _LONGEST_TEXT:
        return value.strip("\n")
    raise WrongValueError("takes source code as a text")


def own_id(value: object) -> str:
    """An id that can be none of ours."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise WrongValueError("takes capital letters and digits joined by hyphens, as ACME-001")
    if value.startswith("HA-"):
        raise WrongValueError("may not start with HA-, which is ours")
    return value


def slug(value: object) -> str:
    """Lower-case words joined by hyphens."""
    if isinstance(value, str) and re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", value):
        return value
    raise WrongValueError("takes lower-case words joined by hyphens")


def one_of(words: Iterable[_Word]) -> Callable[[object], _Word]:
    """A reader of one word of several."""
    known = {word.value or "none": word for word in words}

    def read(value: object) -> _Word:
        if isinstance(value, str) and value in known:
            return known[value]
        raise WrongValueError(f"takes one of {', '.join(known)}")

    return read


def patterns(value: object) -> tuple[str, ...]:
    """Names with ``*`` and ``?`` for what may vary."""
    values = value if isinstance(value, list) else [value]
    if not values or len(values) > _MOST:
        raise WrongValueError(f"takes up to {_MOST} patterns")
    return tuple(map(_pattern, values))


def _pattern(value: object) -> str:
    if isinstance(value, str) and value.strip() and len(value) <= _LONGEST_PATTERN:
        return value.strip()
    raise WrongValueError(f"takes patterns of up to {_LONGEST_PATTERN} characters")


def arguments(value: object) -> Mapping[int, tuple[str, ...]]:
    """Patterns by the number of the argument, from 1."""
    if not isinstance(value, dict) or not value:
        raise WrongValueError("takes patterns by the number of the argument, as {2: '0'}")
    for number in value:
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise WrongValueError("counts arguments from 1")
    return {number: patterns(one) for number, one in value.items()}


def holds(value: object) -> Holds:
    """Releases and kinds of GPU."""
    found = Fields(value if isinstance(value, dict) else None)
    known = Holds(
        since=found.take("since", _release, None),
        until=found.take("until", _release, None),
        traits=found.take("traits", _traits, ()),
    )
    found.finish()
    if found.problems:
        raise WrongValueError("; ".join(found.problems))
    return known


def _release(value: object) -> RocmRelease:
    if not isinstance(value, str):
        raise WrongValueError('takes a release in quotes, as "7.0"')
    try:
        return parse_release(value)
    except AssessError as error:
        raise WrongValueError(f"takes a ROCm release ({error.hint})") from None


def _traits(value: object) -> tuple[Trait, ...]:
    known = {trait.name.lower(): trait for trait in Trait}
    values = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    if not known.keys() >= set(values):
        raise WrongValueError(f"takes some of {', '.join(known)}")
    return tuple(known[one] for one in values)


def evidence(value: object) -> tuple[RuleEvidence, ...]:
    """Where the facts stand: a list of titles, or of titles with web addresses."""
    values = value if isinstance(value, list) else [value]
    found = []
    for one in values[:_MOST]:
        if isinstance(one, str):
            found.append(RuleEvidence(text(one), ""))
            continue
        fields = Fields(one if isinstance(one, dict) else None)
        title, url = fields.take("title", text), fields.take("url", text, "")
        fields.finish()
        if fields.problems or (url and not url.startswith("https://")):
            raise WrongValueError("takes titles, or {title: ..., url: 'https://...'}")
        found.append(RuleEvidence(title or "", url or ""))
    return tuple(found)


def example(value: object) -> Example:
    """Code before and after."""
    fields = Fields(value if isinstance(value, dict) else None)
    shown = Example(fields.take("cuda", code, "") or "", fields.take("hip", code, "") or "")
    fields.finish()
    if fields.problems:
        raise WrongValueError("; ".join(fields.problems))
    return shown


_NEEDED = object()


@dataclass
class Fields:
    """The fields of one mapping: taken one by one, what is wrong or left over gathered."""

    values: Mapping[object, object] | None
    problems: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.values is None:
            self.problems.append("takes fields and their values")

    def take(self, key: str, read: Callable[[object], object], default: object = _NEEDED) -> Any:  # noqa: ANN401 - what read gives; what stands for a wrong value is never used
        """A field's value; where it is not there the default, else a problem."""
        self.taken.append(key)
        if self.values is None or key not in self.values:
            if default is _NEEDED and self.values is not None:
                self.problems.append(f"{key} is missing")
            return default
        try:
            return read(self.values[key])
        except WrongValueError as error:
            self.problems.append(f"{key} {error}")
            return default

    def finish(self) -> None:
        """Name the fields that nobody took."""
        for key in self.values or ():
            if key not in self.taken:
                near = difflib.get_close_matches(str(key), self.taken, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                self.problems.append(f"{str(key)[:60]!r} is not known{hint}")
