"""The plan of what libclang parses: which units, in which order, each answering for which files."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from migrate.facts.guess import Guess
from migrate.facts.nearest import is_hip
from migrate.model.facts import STATES, FileFacts
from migrate.model.signals import EcosystemFacts
from migrate.model.source import Language
from migrate.model.unit import CompileArguments, CompileDatabase, Unit, UnitPlan
from migrate.model.verdict import State

_MAIN_FILE = re.compile(r".+\.(?:cu|cc|cpp|cxx|c\+\+|cp|c)", re.IGNORECASE)
_TEMPLATE = re.compile(r".+\.(?:in|template|tmpl|tpl|jinja2?|j2|mako)", re.IGNORECASE)
_HIP = STATES.index(State.HIP)
_TRIES = 32
"""How many units are weighed anew before one is taken; without an end a tree made for it would
take quadratic time."""


def plan_units(
    files: Sequence[FileFacts],
    ecosystem: Sequence[EcosystemFacts],
    database: CompileDatabase,
    *,
    root: str,
    third_party: frozenset[str],
    budget: int,
) -> UnitPlan:
    """Choose the units to parse, at most ``budget`` of them, whatever the order of ``files``.

    A unit is a source file of the project with CUDA code, in itself or in a header that it
    reaches, that no other file includes; headers that no unit reaches come after those as units
    of their own. The next unit is always the one that answers for most uses that none before it
    does; one that adds nothing is left out. A header is asked of two units at most, of which one
    may be parsed as plain C or C++, without the device code. ``root`` is the absolute folder of
    the tree.
    """
    readable = sorted((file for file in files if not file.error), key=lambda file: file.path)
    plan = _Plan(readable, Guess(readable, ecosystem, third_party, root), database, third_party)
    chosen = plan.order()
    units = tuple(plan.unit(one) for one in chosen[: max(budget, 0)])
    answered = {path for unit in units for path in unit.asks}
    return UnitPlan(
        units=units,
        beyond_budget=len(chosen) - len(units),
        uncovered=tuple(path for path in plan.weights if path not in answered),
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A possible unit; ``answers`` are the bits of the files that it may answer for."""

    path: str
    language: str
    known: bool
    header: bool
    answers: int

    @property
    def device(self) -> bool:
        """Whether device code is seen."""
        return self.language == "cuda"


class _Plan:
    def __init__(
        self,
        files: Sequence[FileFacts],
        guess: Guess,
        database: CompileDatabase,
        third_party: Collection[str],
    ) -> None:
        self._guess = guess
        self._reach = guess.reach
        self._commands = {one.path: one.arguments for one in database.commands}
        self._nearby = _Nearby(self._commands)
        self._files = {
            file.path: file
            for file in files
            if file.language.c_family and file.path not in third_party
        }
        self.weights = {
            path: weight for path, file in self._files.items() if (weight := _weight(file))
        }
        self._asked_once = 0
        self._asked_twice = 0

    def order(self) -> list[_Candidate]:
        """All units that add something, best first."""
        sources = self._sources()
        bits = self._reach.files.bits
        headers = bits(path for path in self.weights if path not in sources)
        candidates = [
            self._candidate(path, headers | bits([path]), header=False) for path in sorted(sources)
        ]
        reached = 0
        for candidate in candidates:
            reached |= candidate.answers
        left = [path for path in self.weights if not bits([path]) & reached]
        unreached = bits(left)
        alone = [
            self._candidate(path, unreached, header=True)
            for path in left
            if not _TEMPLATE.fullmatch(path) and path not in self._guess.for_hip
        ]
        worth = _Worth((bits([path]), weight) for path, weight in self.weights.items())
        return [*_best_first(candidates, worth), *_best_first(alone, worth)]

    def unit(self, chosen: _Candidate) -> Unit:
        """The unit of a candidate; asked in order, since it says who answers for a header."""
        own = self._reach.files.bits([chosen.path])
        taken = self._asked_twice if chosen.device else self._asked_once
        asked = chosen.answers & ~own & ~taken
        self._asked_twice |= asked & self._asked_once
        self._asked_once |= asked | own
        return Unit(
            path=chosen.path,
            arguments=self._arguments(chosen),
            asks=(chosen.path, *sorted(self._reach.files.members(asked))),
            known=chosen.known,
        )

    def _arguments(self, chosen: _Candidate) -> CompileArguments:
        if chosen.known:
            return self._commands[chosen.path]
        near = self._nearby.to(chosen.path) if chosen.header else None
        if near is not None:
            return self._guess.borrowed(chosen.path, near)
        return self._guess.arguments(chosen.path, chosen.language)

    def _sources(self) -> set[str]:
        """The project's files that are compiled and that reach CUDA code."""
        included = {
            target
            for targets in self._guess.includes.values()
            for target in targets
            if _MAIN_FILE.fullmatch(target)
        }
        relevant = _includers(self._guess.includes, self.weights)
        return {
            path
            for path, file in self._files.items()
            if path in relevant and not is_hip(file) and _MAIN_FILE.fullmatch(path)
            if path in self._commands or path not in included
        }

    def _candidate(self, path: str, may_answer: int, *, header: bool) -> _Candidate:
        known = path in self._commands
        language = (
            self._commands[path].language if known else _language(self._files[path], header=header)
        )
        answers = self._reach.mask(path) & may_answer
        return _Candidate(path, language, known, header, answers)


def _best_first(candidates: Iterable[_Candidate], worth: _Worth) -> Iterator[_Candidate]:
    """The candidates that add something to those before them, the one that adds most first.

    What a candidate adds only ever gets less, so that it is weighed anew when its turn comes.
    Files that a plain C++ unit answers for count as new to one that sees device code.
    """
    seen, seen_by_host = 0, 0

    def gain(candidate: _Candidate) -> int:
        return worth.of(candidate.answers & ~(seen if candidate.device else seen | seen_by_host))

    heap = [(-gain(one), not one.known, one.path, one) for one in candidates]
    heapify(heap)
    tries = 0
    while heap:
        stored, unknown, path, best = heappop(heap)
        now = -gain(best)
        if not now:
            continue
        if now != stored and tries < _TRIES:
            tries += 1
            heappush(heap, (now, unknown, path, best))
            continue
        tries = 0
        if best.device:
            seen |= best.answers
        else:
            seen_by_host |= best.answers
        yield best


class _Worth:
    """The uses in a set of files, by the digits of the files' numbers of uses.

    Adding up file by file would take most of the plan's time.
    """

    def __init__(self, weights: Iterable[tuple[int, int]]) -> None:
        self._digits: list[int] = []
        for bit, weight in weights:
            for place in range(weight.bit_length()):
                if place == len(self._digits):
                    self._digits.append(0)
                if weight >> place & 1:
                    self._digits[place] |= bit

    def of(self, files: int) -> int:
        """How many uses there are in the files with these bits."""
        return sum((files & digit).bit_count() << place for place, digit in enumerate(self._digits))


class _Nearby:
    """Finds the compile command of the file that has most folders in common with another."""

    def __init__(self, commands: Mapping[str, CompileArguments]) -> None:
        cuda = {path: one for path, one in commands.items() if one.language == "cuda"}
        self._commands = {tuple(path.split("/")): one for path, one in (cuda or commands).items()}
        self._order = sorted(self._commands)

    def to(self, path: str) -> CompileArguments | None:
        """The arguments nearest to a path; of equally near ones, those of the file before it."""
        parts = tuple(path.split("/"))
        at = bisect_left(self._order, parts)
        around = self._order[max(at - 1, 0) : at + 1]
        if not around:
            return None
        return self._commands[max(around, key=lambda one: _common(one, parts))]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many first parts two paths have in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _weight(file: FileFacts) -> int:
    """How much CUDA code a CUDA build sees in a file: its uses, 0 where there is none."""
    if is_hip(file):
        return 0
    states = file.uses.state
    uses = len(states) - states.count(_HIP)
    if uses:
        return uses
    parts = [one.state for one in file.functions if one.kernel]
    parts += [one.state for one in file.launches]
    parts += [one.state for one in file.asm_blocks]
    parts += [one.state for one in file.macros]
    return int(bool(file.shared) or any(state is not State.HIP for state in parts))


def _language(file: FileFacts, *, header: bool) -> str:
    kernels = any(one.kernel and one.state is not State.HIP for one in file.functions)
    launches = any(one.state is not State.HIP for one in file.launches)
    if header or file.language is Language.CUDA or kernels or launches:
        return "cuda"
    return "c" if file.language is Language.C else "c++"


def _includers(includes: Mapping[str, Sequence[str]], starts: Iterable[str]) -> set[str]:
    """The files that reach one of some files by includes, these among them."""
    included_by: dict[str, list[str]] = {}
    for path, targets in includes.items():
        for target in targets:
            included_by.setdefault(target, []).append(path)
    found = set(starts)
    queue = list(found)
    while queue:
        for path in included_by.get(queue.pop(), ()):
            if path not in found:
                found.add(path)
                queue.append(path)
    return found
