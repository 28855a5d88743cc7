"""What a reader must know before using the figures: said once, shown by every report."""

from __future__ import annotations

from migrate.model.assessment import Assessment
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
    return (*found, *compiler_caveats(assessment.semantic))
