"""What projects for both vendors write twice is found, or quiet for a stated reason."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from migrate.knowledge.releases import parse_release
from migrate.model.target import Target
from migrate.model.verdict import State, Verdict
from tests.rules.scanned import DEFAULT, Judged, judge

PATTERNS = Path(__file__).parent.parent.parent / "fixtures" / "patterns"
FILES = sorted(PATTERNS.glob("*.cu"))
_MARK = re.compile(r"//\s*(found|quiet|renamed)(?:\[([\d.]+)\])?(?:@\+(\d+))?:\s*([^/]+)")


@dataclass(frozen=True)
class Pattern:
    """A marked construct: what is stated of it, where, and on which release ("": the default)."""

    id: str
    stated: str
    path: Path
    line: int
    release: str
    reason: str

    @property
    def target(self) -> Target:
        return Target(parse_release(self.release), DEFAULT.archs) if self.release else DEFAULT


def patterns_of(path: Path) -> list[Pattern]:
    """The marks of a file; one mark may name several patterns."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for stated, release, shift, said in _MARK.findall(line):
            ids = re.findall(r"P\d\d", said)
            reason = said.replace(",", "").partition(ids[-1])[2].strip()
            at = number + int(shift or 0)
            found += [Pattern(one, stated, path, at, release, reason) for one in ids]
    return found


MARKED = [pattern for path in FILES for pattern in patterns_of(path)]


def told_at(judged: Judged, line: int) -> tuple[set[str], dict[str, Verdict]]:
    """The rules found at a line, and the verdicts of the names there that count."""
    rules = {one.rule.id for one in judged.hits() if one.hit.line == line}
    names: dict[str, Verdict] = defaultdict(lambda: Verdict.SAME)
    for file in judged.files:
        for row, answer in enumerate(file.answers):
            if file.facts.uses.line[row] == line and file.state(row) is State.ACTIVE:
                names[answer.name] = max(names[answer.name], answer.verdict, key=lambda v: v.rank)
    return rules, names


@pytest.mark.parametrize("pattern", MARKED, ids=lambda one: f"{one.id}-{one.stated}{one.release}")
def test_construct_is_found_or_quiet_as_stated(pattern: Pattern) -> None:
    judged = judge(pattern.path.read_text(encoding="utf-8"), pattern.target, name=pattern.path.name)
    rules, names = told_at(judged, pattern.line)
    work = rules or {name for name, verdict in names.items() if not verdict.mechanical}
    if pattern.stated == "found":
        assert work
    else:
        assert not work
        assert pattern.reason, "what is no work says why"
    if pattern.stated == "renamed":
        assert Verdict.RENAMED in names.values()


def test_all_59_constructs_are_marked() -> None:
    assert len({pattern.id for pattern in MARKED}) == 59
