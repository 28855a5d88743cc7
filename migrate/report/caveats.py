"""What a reader must know before using the figures: said once, shown by every report."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.model.assessment import Assessment, FileRow, Unpriced
from migrate.model.verdict import State
from migrate.report.compiler import compiler_caveats
from migrate.report.numbers import plural


def caveats(assessment: Assessment) -> tuple[str, ...]:
    """What the figures of this assessment leave open, most important first."""
    found = list(unpriced_caveats(assessment.project.unpriced))
    built = assessment.project.hip_files
    if built:
        found.append(
            f"{plural(built, 'file')} built for HIP already: only their findings are priced"
        )
    return (*found, *_reading_caveats(assessment.files), *compiler_caveats(assessment.semantic))


def unpriced_caveats(unpriced: Unpriced) -> tuple[str, ...]:
    """What no figure holds, so that a small estimate is not taken for little work."""
    found = []
    if unpriced.fortran_files:
        found.append(
            f"CUDA Fortran in {plural(unpriced.fortran_files, 'file')} with "
            f"{plural(unpriced.fortran_kernels, 'kernel')} is in no figure: uses, shares and "
            "effort speak of C and C++ alone"
        )
    if unpriced.openacc_files:
        found.append(
            f"OpenACC in {plural(unpriced.openacc_files, 'file')} is in no figure: its directives "
            "have to become OpenMP's, or a compiler that takes them has to be found"
        )
    if unpriced.binding_files:
        found.append(
            f"CUDA called from other languages ({plural(unpriced.binding_files, 'file')} with a "
            "binding) is not read: its calls are in no figure"
        )
    return tuple(found)


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
