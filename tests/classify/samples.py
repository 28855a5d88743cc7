"""Facts and answers made by hand for the tests of the stage."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from migrate.classify.uses import ClassifiedFile
from migrate.model.facts import SEEN_BY, STATES, FileFacts, Function, Include, UseKind, UseTable
from migrate.model.resolution import Resolution
from migrate.model.source import Language
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import SeenBy, Side, State, Verdict

TARGET = Target(RocmRelease(7, 2), ("gfx942",))


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """One use: where, in which function of the file (from 1; 0 is file scope), and how."""

    symbol: str
    line: int
    function: int = 0
    state: State = State.ACTIVE
    kind: UseKind = UseKind.CALL
    arguments: int = -1
    seen_by: SeenBy = SeenBy.TREE
    line_hash: int = 0


def facts_of(
    path: str,
    uses: Sequence[At] = (),
    functions: Sequence[Function] = (),
    *,
    includes: Sequence[Include] = (),
    lines: int = 100,
) -> FileFacts:
    """A CUDA file with these uses."""
    symbols = tuple(dict.fromkeys(use.symbol for use in uses))
    return FileFacts(
        path=path,
        language=Language.CUDA,
        lines=lines,
        code_lines=lines // 2,
        functions=tuple(functions),
        includes=tuple(includes),
        uses=UseTable(
            symbols=symbols,
            symbol=array("I", [symbols.index(use.symbol) for use in uses]),
            line=array("I", [use.line for use in uses]),
            end_line=array("I", [use.line for use in uses]),
            column=array("I", [5 for _ in uses]),
            function=array("I", [use.function for use in uses]),
            state=array("B", [STATES.index(use.state) for use in uses]),
            kind=array("B", [int(use.kind) for use in uses]),
            arguments=array("I", [use.arguments + 1 for use in uses]),
            seen_by=array("B", [SEEN_BY.index(use.seen_by) for use in uses]),
            known=array("B", [1 for _ in uses]),
            line_hash=array("I", [use.line_hash for use in uses]),
        ),
    )


def function(name: str, first: int, last: int, *, kernel: bool = False) -> Function:
    """A function from one line to another."""
    side = Side.DEVICE if kernel else Side.HOST
    return Function(name=name, line=first, end_line=last, side=side, kernel=kernel)


def answer(name: str, verdict: Verdict, **more: object) -> Resolution:
    """An answer of the tables."""
    known: dict[str, object] = {"library": "runtime", "kind": "function", **more}
    return Resolution(name=name, verdict=verdict, **known)  # type: ignore[arg-type]


def classified(facts: FileFacts, answers: Mapping[str, Resolution]) -> ClassifiedFile:
    """A file with an answer for each of its uses, by symbol."""
    table = facts.uses
    return ClassifiedFile(facts, tuple(answers[table.symbols[number]] for number in table.symbol))
