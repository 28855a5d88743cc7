"""What a file tells of the macros and names by which its project tells CUDA from HIP builds."""

from __future__ import annotations

from collections.abc import Iterable

from migrate.model.facts import PlatformMacros
from migrate.model.verdict import State
from migrate.parse.conditionals import Regions
from migrate.parse.conditions import ProjectMacros, neutral_macros
from migrate.parse.directives import Directives, defined_macro
from migrate.parse.vocabulary import Vocabulary


def read_platform(
    masked: bytes,
    directives: Directives,
    regions: Regions,
    vocabulary: Vocabulary,
    *,
    project: ProjectMacros,
    declared: Iterable[str],
) -> PlatformMacros:
    """Sort a file's macros by the builds that compile their definitions.

    ``declared`` are the CUDA names that the file's HIP-only code declares otherwise.
    """
    hip_only: set[str] = set()
    cuda_only: set[str] = set()
    elsewhere: set[str] = set()
    shims = set(declared)
    for line in directives.of("define"):
        macro = defined_macro(masked, line)
        state = regions.state_at(line.start)
        if macro is None or state is None:
            continue
        if state is State.HIP:
            hip_only.add(macro.name)
            if vocabulary.knows(macro.name):
                shims.add(macro.name)
        elif regions.left_out_at(line.start):
            cuda_only.add(macro.name)
        else:
            elsewhere.add(macro.name)
    asked = frozenset[str]().union(
        *(neutral_macros(region.condition, project) for region in regions.regions)
    )
    return PlatformMacros(
        hip_only=frozenset(hip_only),
        cuda_only=frozenset(cuda_only),
        elsewhere=frozenset(elsewhere),
        asked=asked,
        shims=frozenset(shims),
    )
