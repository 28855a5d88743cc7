"""Which public names of CUDA's headers no row and no family answers for."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from migrate.knowledge.apis import ApiTables
from migrate.model.target import Target
from migrate.model.verdict import Flag
from tests.upkeep.declared import Declared

_NOT_PUBLIC = Path(__file__).with_name("not_public.csv")
NOT_A_USE = "not a use"


@dataclass(frozen=True, slots=True)
class NotPublic:
    """Headers and names (patterns) that a user's code does not write, and why."""

    header: str
    name: str
    reason: str

    def covers(self, one: Declared) -> bool:
        """Whether the declaration is meant."""
        return fnmatchcase(one.header, self.header) and fnmatchcase(one.name, self.name)


def read_not_public(path: Path = _NOT_PUBLIC) -> tuple[NotPublic, ...]:
    """The reviewed list, in its order."""
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(NotPublic(**row) for row in csv.DictReader(lines))


def public(declarations: Iterable[Declared], excluded: Iterable[NotPublic]) -> Iterator[Declared]:
    """The declarations that a user's code may name.

    Not the guards and switches of headers (macros without a text), nor names that begin with one
    underscore or hold an operator, nor members: their struct answers for them.
    """
    patterns = tuple(excluded)
    for one in declarations:
        last = one.name.rpartition("::")[2]
        empty = one.kind == "macro" and (not one.value or last.startswith("_"))
        private = last.startswith("_") and not last.startswith("__")
        spoken = one.kind != "member" and not last.startswith("operator")
        if spoken and not empty and not private and not any(p.covers(one) for p in patterns):
            yield one


def unneeded(declarations: Iterable[Declared], rules: Iterable[NotPublic]) -> list[NotPublic]:
    """The rules that cover none of the declarations."""
    left = list(rules)
    for one in declarations:
        left = [rule for rule in left if not rule.covers(one)]
    return left


def without_row(declarations: Iterable[Declared], tables: ApiTables) -> list[Declared]:
    """The declarations whose names nothing answers for, one per name, sorted by header."""
    unanswered: dict[str, Declared] = {}
    for one in declarations:
        if one.name not in tables.not_uses and not tables.knows(one.name):
            unanswered.setdefault(one.name, one)
    return sorted(unanswered.values(), key=lambda one: (one.header, one.kind, one.name))


def count_verdicts(
    declarations: Iterable[Declared], tables: ApiTables, target: Target
) -> dict[str, Counter[str]]:
    """How many names each library's table answers for, by verdict; unconfirmed ones beside."""
    counts: dict[str, Counter[str]] = {}
    for name in sorted({one.name for one in declarations}):
        if name in tables.not_uses:
            counts.setdefault(NOT_A_USE, Counter())[NOT_A_USE] += 1
        elif tables.knows(name):
            answer = tables.resolve(name, target)
            library = counts.setdefault(answer.library, Counter())
            library[answer.verdict.value] += 1
            library["unconfirmed"] += Flag.UNCONFIRMED in answer.flags
    return counts
