"""Every use of every file with its verdict: the table that all sums are made from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from migrate.classify.resolver import Resolver
from migrate.model.facts import STATES, FileFacts, Function, UseKind
from migrate.model.resolution import Resolution
from migrate.model.verdict import Side, State

_FILE_SCOPE = Function(name="", line=0, end_line=0, side=Side.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ClassifiedFile:
    """A file's facts with one answer for each row of its use table."""

    facts: FileFacts
    answers: tuple[Resolution, ...]
    own: bool = True
    """Whether it is the project's code, not a third party's."""
    explained: frozenset[int] = frozenset()
    """The rows that a rule's finding explains: no finding of the name stands there."""
    priced: frozenset[int] = frozenset()
    """Of these the rows whose effort is the rule's, not the name's."""

    def state(self, row: int) -> State:
        """The state of a use."""
        return STATES[self.facts.uses.state[row]]

    def function(self, row: int) -> Function:
        """The function around a use; one without a name at file scope."""
        number = self.facts.uses.function[row]
        return self.facts.functions[number - 1] if number else _FILE_SCOPE

    def active_rows(self) -> Iterator[int]:
        """The rows that count in shares and effort."""
        states = self.facts.uses.state
        active = STATES.index(State.ACTIVE)
        return (row for row in range(len(states)) if states[row] == active)


def classify_files(
    files: Iterable[FileFacts], resolver: Resolver, third_party: Collection[str] = ()
) -> tuple[ClassifiedFile, ...]:
    """Give every use its verdict; ``third_party`` are the paths of others' code."""
    return tuple(
        ClassifiedFile(file, tuple(_answers(file, resolver)), file.path not in third_party)
        for file in files
    )


def _answers(file: FileFacts, resolver: Resolver) -> Iterator[Resolution]:
    table = file.uses
    for row in range(len(table)):
        yield resolver.resolve(
            table.symbols[table.symbol[row]], UseKind(table.kind[row]), table.arguments[row] - 1
        )
