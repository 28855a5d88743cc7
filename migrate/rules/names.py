"""The uses of a group of CUDA names: those listed, and those that begin like a family."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rules.code import Code, CodeUse


def uses_like(code: Code, names: frozenset[str], *families: str) -> Iterator[CodeUse]:
    """The uses of ``names`` and of what begins with one of ``families``."""
    for symbol in code.symbols:
        if symbol in names or (families and symbol.startswith(families)):
            yield from code.uses(symbol)
