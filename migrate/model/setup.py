"""What a machine has for the compiler's pass: the facts behind ``hipassess doctor``."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.unit import Toolkit


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryHeaders:
    """The C++ standard library's headers.

    ``name`` is ``system`` or ``libc++`` (libclang's own), "" where there are none; ``has_c`` says
    whether those of the C library, without which neither works, are there.
    """

    name: str
    has_c: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was found, and what a small parse with it gave.

    ``libclang`` is its version, "" where ``libclang_problem`` says why none can be used; ``folder``
    is where it lies. ``headers`` are the CUDA libraries whose headers the toolkit has, ``absent``
    the others. ``standard`` is None where nothing was tried. ``parse_problem`` is "" where the
    parse went well, ``errors`` are its first ones. ``cache`` is a folder, "" where there is none.
    ``commands`` is the tree's compile_commands.json, "" where it has none; ``commanded`` counts
    the files for which that has a command.
    """

    tool: str
    python: str
    system: str
    libclang: str = ""
    libclang_problem: str = ""
    folder: str = ""
    toolkit: Toolkit
    headers: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    standard: LibraryHeaders | None = None
    parsed: bool = False
    parse_problem: str = ""
    errors: tuple[str, ...] = ()
    tables_as_of: str = ""
    cache: str = ""
    commands: str = ""
    commanded: int = 0

    @property
    def ready(self) -> bool:
        """Whether the compiler's pass can run and give whole answers."""
        return self.parsed and not self.toolkit.lacking
