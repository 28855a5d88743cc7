"""What a reader must know before using the figures: said once, shown by every report."""

from __future__ import annotations

from migrate.model.assessment import Assessment
from migrate.report.compiler import compiler_caveats
from migrate.report.numbers import plural

_WARP = "warp_site"


def caveats(assessment: Assessment) -> tuple[str, ...]:
    """What the figures of this assessment leave open, most important first."""
    found = []
    warp = sum(row.n for row in assessment.summary.effort.drivers if row.id == _WARP)
    if warp:
        sites = plural(int(warp), "warp site")
        found.append(f"{sites} priced, but lane masks and 32-lane code not judged yet")
    built = assessment.project.hip_files
    if built:
        found.append(
            f"{plural(built, 'file')} built for HIP already: only their findings are priced"
        )
    return (*found, *compiler_caveats(assessment.semantic))
