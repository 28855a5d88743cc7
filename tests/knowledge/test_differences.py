"""Where the product says each known difference of meaning, or why it says nothing."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.archs import known_archs
from migrate.knowledge.releases import parse_release
from migrate.model.target import CudaVersion, Target
from migrate.model.verdict import Verdict
from migrate.rules.registry import RULES

PATH = Path(__file__).parent.parent.parent / "mappings" / "differences.csv"


@dataclass(frozen=True)
class Difference:
    """A row of the table."""

    id: str
    about: str
    judged: str
    by: str
    target: str
    reason: str

    @property
    def rules(self) -> list[str]:
        return [name for name in self.by.split() if name.startswith("HA-")]

    @property
    def names(self) -> list[str]:
        return [name for name in self.by.split() if not name.startswith("HA-")]

    @property
    def on(self) -> Target:
        """The target that the row speaks of; ROCm 7.2 and gfx942 where it says nothing else."""
        said = {"arch": "gfx942", "rocm": "7.2"}
        for word in self.target.split():
            key, equals, value = word.partition("=")
            said[key if equals else "arch"] = value or word
        cuda = CudaVersion.parse(said["cuda"]) if "cuda" in said else None
        return Target(parse_release(said["rocm"]), (said["arch"],), cuda)


with PATH.open(encoding="utf-8", newline="") as file:
    ROWS = [Difference(**row) for row in csv.DictReader(file)]


def test_ids_are_in_order_and_none_is_twice() -> None:
    ids = [row.id for row in ROWS]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row_says_who_answers_or_why_nobody_does(row: Difference) -> None:
    assert row.about
    assert row.on.archs[0] in known_archs()
    if row.judged == "rule":
        assert row.rules
    elif row.judged == "mapping":
        assert row.names
        assert not row.rules
    else:
        assert row.judged == "left-out"
        assert not row.by
        assert row.reason.endswith(".")


@pytest.mark.parametrize("row", [row for row in ROWS if row.rules], ids=lambda row: row.id)
def test_rules_that_answer_exist_and_hold_on_the_target(row: Difference) -> None:
    known = {rule.id: rule for rule in RULES}
    for rule in row.rules:
        assert known[rule].holds.in_release(row.on.rocm)


@pytest.mark.parametrize("row", [row for row in ROWS if row.names], ids=lambda row: row.id)
def test_names_that_answer_have_a_verdict_or_note_that_tells(row: Difference) -> None:
    tables = load_tables()
    for name in row.names:
        answer = tables.resolve(name, row.on, arguments=None)
        assert answer.verdict is not Verdict.UNKNOWN, name
        renamed = answer.verdict is Verdict.RENAMED and "Renamed" in row.reason
        assert not answer.verdict.mechanical or answer.note or answer.flags or renamed, name
