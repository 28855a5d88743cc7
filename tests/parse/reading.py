"""Read a piece of source as one file of a tree, and look at the facts as short tuples."""

from __future__ import annotations

from migrate.model.facts import FileFacts, Use, iterate_uses
from migrate.model.source import Language
from migrate.model.verdict import State
from migrate.parse.conditions import ProjectMacros
from migrate.parse.reader import read_source
from migrate.parse.vocabulary import load_vocabulary


def read(
    source: str | bytes,
    *,
    path: str = "src/a.cu",
    language: Language = Language.CUDA,
    macros: ProjectMacros | None = None,
) -> FileFacts:
    """The facts of a source text."""
    data = source.encode() if isinstance(source, str) else source
    return read_source(data, path, language, load_vocabulary(), macros or ProjectMacros())


def uses(source: str | bytes, *, language: Language = Language.CUDA) -> list[Use]:
    """The uses in a source text, in order of place."""
    return list(iterate_uses(read(source, language=language)))


def symbols(source: str | bytes, *, language: Language = Language.CUDA) -> list[str]:
    """The symbols that are used in a source text, in order of place."""
    return [use.symbol for use in uses(source, language=language)]


def states(source: str | bytes, *, macros: ProjectMacros | None = None) -> dict[str, State]:
    """Each used symbol with its state."""
    return {use.symbol: use.state for use in iterate_uses(read(source, macros=macros))}
