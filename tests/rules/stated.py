"""A porting problem as a fixture: the targets it speaks of, and what stands where on which."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrate.model.rule import RuleHit
from migrate.model.target import Target
from migrate.model.verdict import State
from tests.rules.scanned import DEFAULT, Judged, judge, target_of

_TARGET = re.compile(r"//\s*target(?:\s+(\w+))?(:.+)$")
_MARK = re.compile(
    r"//\s*(expect|verdict|says|none)(?:\[([\w, ]+)\])?(?:@([+-]\d+))?(?::([^/]*)|$)"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One statement of a fixture about a line, on some of its targets or (empty) on all."""

    word: str
    line: int
    text: str
    targets: frozenset[str]

    def holds_on(self, name: str) -> bool:
        return not self.targets or name in self.targets


def targets_of(text: str) -> dict[str, Target]:
    """The fixture's targets by name; the default one under "" where it names none."""
    found = {}
    for line in text.splitlines():
        match = _TARGET.match(line)
        if match is not None:
            found[match[1] or ""] = target_of(f"// target{match[2]}")
    return found or {"": DEFAULT}


def marks_of(text: str) -> tuple[Mark, ...]:
    """Every statement of a fixture, those with a comma in them taken apart."""
    found: list[Mark] = []
    for number, line in enumerate(text.splitlines(), 1):
        for word, names, shift, said in _MARK.findall(line):
            targets = frozenset(name.strip() for name in names.split(",") if name)
            at = number + int(shift or 0)
            found += [Mark(word, at, part.strip(), targets) for part in said.split(",")]
    return tuple(found)


def unmet(text: str, name: str, target: Target, *, path: str) -> list[str]:
    """What a fixture states of a target and the product does not say, or says beside it."""
    marks = [mark for mark in marks_of(text) if mark.holds_on(name)]
    judged = judge(text, target, name=path)
    return [
        *_unmet_rules(marks, judged),
        *_unmet_verdicts(marks, judged),
        *_unmet_words(marks, judged),
        *_unmet_silence(marks, judged),
    ]


def _of(marks: Iterable[Mark], word: str) -> Iterator[Mark]:
    return (mark for mark in marks if mark.word == word)


def _unmet_rules(marks: list[Mark], judged: Judged) -> Iterator[str]:
    """Rules found and marked must be the same; a second word in a mark is the confidence."""
    found = {(one.hit.line, one.rule.id) for one in judged.hits()}
    wanted = {(mark.line, mark.text.split()[0]) for mark in _of(marks, "expect")}
    yield from (f"{line}: {rule} is not found" for line, rule in sorted(wanted - found))
    yield from (f"{line}: {rule} is found" for line, rule in sorted(found - wanted))
    sure = {(one.hit.line, one.rule.id): one.hit.confidence for one in judged.hits()}
    for mark in _of(marks, "expect"):
        rule, _, confidence = mark.text.partition(" ")
        if confidence and sure.get((mark.line, rule), confidence) != confidence:
            yield f"{mark.line}: {rule} is {sure[mark.line, rule]}"


def _unmet_verdicts(marks: list[Mark], judged: Judged) -> Iterator[str]:
    """A marked name has the marked uses; every other one that needs a person is explained."""
    wanted: dict[tuple[int, str], Counter[str]] = {}
    for mark in _of(marks, "verdict"):
        symbol, _, said = mark.text.partition(" ")
        wanted.setdefault((mark.line, symbol), Counter())[said] += 1
    found: dict[tuple[int, str], Counter[str]] = {}
    for file in judged.files:
        for row, answer in enumerate(file.answers):
            place = (file.facts.uses.line[row], answer.name)
            state = file.state(row)
            said = str(answer.verdict) + ("" if state is State.ACTIVE else f" {state}")
            quiet = answer.verdict.mechanical or row in file.explained or state is not State.ACTIVE
            if place in wanted or not quiet:
                found.setdefault(place, Counter())[said] += 1
    for place in sorted({*wanted, *found}):
        told, stated = found.get(place, Counter()), wanted.get(place, Counter())
        if told != stated:
            yield f"{place[0]}: {place[1]} is {dict(told)}, stated {dict(stated)}"


def _unmet_words(marks: list[Mark], judged: Judged) -> Iterator[str]:
    for mark in _of(marks, "says"):
        told = " | ".join(_told(judged, mark.line))
        if mark.text not in told:
            yield f"{mark.line}: nothing says {mark.text!r}, but: {told}"


def _told(judged: Judged, line: int) -> Iterator[str]:
    """What findings at a line say of it."""
    for one in judged.hits():
        if one.hit.line == line:
            yield from (one.hit.symbol, one.hit.detail, one.hit.fix or one.rule.fix, one.rule.title)
    for file in judged.files:
        for row, answer in enumerate(file.answers):
            if file.facts.uses.line[row] == line:
                yield from (answer.name, answer.hip, answer.note, *answer.flags)


def _unmet_silence(marks: list[Mark], judged: Judged) -> Iterator[str]:
    used = {
        file.facts.uses.line[row]: answer.name
        for file in judged.files
        for row, answer in enumerate(file.answers)
    }
    hits: dict[int, RuleHit] = {one.hit.line: one for one in judged.hits()}
    for mark in _of(marks, "none"):
        if mark.line in used:
            yield f"{mark.line}: {used[mark.line]} is a use"
        if mark.line in hits:
            yield f"{mark.line}: {hits[mark.line].rule.id} is found"
