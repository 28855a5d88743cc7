"""What a reader must know before using the figures: said once, shown by every report."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.model.assessment import Assessment, FileRow
from migrate.model.verdict import State
from migrate.report.compiler import compiler_caveats
from migrate.report.numbers import plural


def caveats(assessment: Assessment) -> tuple[str, ...]:
    """What the figures of this assessment leave open, most important first."""
    found = []
    built = assessment.project.hip_files
    if built:
        found.append(
            f"{plural(built, 'file')} built for HIP already: only their findings are priced"
        )
    return (*found, *_reading_caveats(assessment.files), *compiler_caveats(assessment.semantic))


def _reading_caveats(files: Sequence[FileRow]) -> tuple[str, ...]:
    """What of the active uses rests on files that are not whole text or not whole syntax."""
    found = []
    torn = [row for row in files if row.error_nodes > 0 and row.states.get(State.ACTIVE)]
    if torn:
        uses = sum(row.states[State.ACTIVE] for row in torn)
        found.append(
            f"{plural(uses, 'use')} in {plural(len(torn), 'file')} that the parser could not read"
            " whole"
        )
    other = sum(1 for row in files if not row.utf8)
    if other:
        found.append(f"{plural(other, 'file')} not in UTF-8, read byte by byte")
    return tuple(found)
