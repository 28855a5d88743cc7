"""Hits at what the files around the code say, each file's names told together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.model.rule import Hit
from migrate.model.signals import Kind, Signal
from migrate.rules.code import Code

_MOST_NAMED = 6


def hits(code: Code, signals: Iterable[Signal], *, named: bool = False) -> Iterator[Hit]:
    """A hit for each signal; with ``named`` each says which names the file has of them."""
    found = list(signals)
    detail = f"Here: {listed(signal.value for signal in found)}." if named else ""
    for signal in found:
        yield code.hit(signal, detail=detail)


def builds_with(code: Code, *systems: str) -> bool:
    """Whether a file belongs to one of some build systems."""
    return any(signal.value in systems for signal in code.signals(Kind.BUILD))


def listed(words: Iterable[str]) -> str:
    """The first words, each once, in the order in which they come."""
    distinct = list(dict.fromkeys(words))
    more = f" and {len(distinct) - _MOST_NAMED} more" if len(distinct) > _MOST_NAMED else ""
    return ", ".join(distinct[:_MOST_NAMED]) + more
