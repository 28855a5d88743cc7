"""What a semantic worker is given and what it hands back: plain data that crosses processes."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.semantic import UnitFacts
from migrate.model.unit import Toolkit, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTask:
    """A unit to be read.

    ``arguments`` are clang's, in full; ``own`` the keys of the libraries that the tree is itself;
    ``macros`` the project's macros with CUDA names in them, each as name, path and line.
    ``fewer`` asks for a parse with the fewest flags, after one with all of them went wrong.
    ``output`` is where a precompiled header is to be saved, "" where a unit is to be read.
    """

    unit: Unit
    root: str
    toolkit: Toolkit
    arguments: tuple[str, ...]
    own: frozenset[str] = frozenset()
    macros: tuple[tuple[str, str, int], ...] = ()
    fewer: bool = False
    output: str = ""


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What reading a unit gave, and the absolute paths of every file that was opened for it."""

    facts: UnitFacts
    opened: tuple[str, ...] = ()
