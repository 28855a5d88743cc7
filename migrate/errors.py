"""Exit codes, and the one exception that stands for a user's mistake."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Process exit codes of every command (contract, "Exit codes")."""

    OK = 0
    GATE_FAILED = 1
    USAGE = 2
    NOTHING_TO_ASSESS = 3
    INCOMPLETE = 4
    INTERNAL = 70


class AssessError(Exception):
    """A mistake of the user's that stops the run: what happened, and what to do next.

    ``slug`` names the section of docs/errors.md that explains it.
    """

    def __init__(
        self, what: str, *, slug: str, hint: str = "", code: ExitCode = ExitCode.USAGE
    ) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.slug = slug
        self.code = code

    def __str__(self) -> str:
        hint = f"\n  {self.hint}" if self.hint else ""
        return f"{self.what} [{self.slug}]{hint}"
