"""Environment variables of a file, whether a script sets them or code asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark, MarkKind
from migrate.model.signals import Kind, Signal
from migrate.rules.code import Code


def variables(code: Code) -> Iterator[tuple[str, Signal | Mark]]:
    """Yield every variable with its place."""
    for signal in code.signals(Kind.ENVIRONMENT):
        yield signal.value, signal
    for mark in code.marks(MarkKind.ENVIRONMENT):
        yield mark.symbol, mark
