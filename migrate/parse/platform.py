"""What a file tells of the macros and names by which its project tells CUDA from HIP builds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from migrate.model.facts import PlatformMacros
from migrate.model.verdict import State
from migrate.parse.conditionals import Region, Regions
from migrate.parse.conditions import ProjectMacros, explained_by_tree
from migrate.parse.directives import Directives, defined_macro
from migrate.parse.vocabulary import Vocabulary

_HIP_NAME = re.compile(rb"(?:\([^()]*\))?[\s\\(]*(?:hip|HIP|roc[a-z]+_|roctx|miopen|__hip)\w*")
"""A macro's body that begins with a name of HIP or of a ROCm library."""
_ALIAS = re.compile(
    rb"\btypedef\s+[^;{}()]*?\b([A-Za-z_]\w*)\s*;|\busing\s+([A-Za-z_]\w*)\s*=\s*[^;{}]*;"
)
"""Another name for a type; the name is the first or the second group."""


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
    always_hip: set[str] = set()
    elsewhere: set[str] = set()
    shims = set(declared) | _aliased_types(masked, regions, vocabulary)
    for line in directives.of("define"):
        macro = defined_macro(masked, line)
        region = regions.at(line.start)
        if macro is None or region.state is None:
            continue
        for_hip = region.state is State.HIP or _HIP_NAME.match(masked, macro.body, line.end)
        if for_hip and vocabulary.knows(macro.name):
            shims.add(macro.name)
        elif for_hip and macro.name.encode() in vocabulary.namespaces:
            shims.add(f"{macro.name}::")
        if _is_fallback(macro.name, region):
            elsewhere.add(macro.name)
        elif region.state is State.HIP:
            hip_only.add(macro.name)
        elif region.left_out:
            cuda_only.add(macro.name)
        elif region.taken:
            always_hip.add(macro.name)
        else:
            elsewhere.add(macro.name)
    asked = frozenset[str]().union(
        *(explained_by_tree(region.condition, project) for region in regions.regions)
    )
    return PlatformMacros(
        hip_only=frozenset(hip_only),
        cuda_only=frozenset(cuda_only),
        always_hip=frozenset(always_hip),
        elsewhere=frozenset(elsewhere),
        asked=asked,
        shims=frozenset(shims),
    )


def _aliased_types(masked: bytes, regions: Regions, vocabulary: Vocabulary) -> set[str]:
    """The CUDA types for which HIP-only code makes a name."""
    if not any(region.state is State.HIP for region in regions.regions):
        return set()
    names = {
        (match[1] or match[2]).decode()
        for match in _ALIAS.finditer(masked)
        if regions.state_at(match.start()) is State.HIP
    }
    return {name for name in names if vocabulary.knows(name)}


def _is_fallback(name: str, region: Region) -> bool:
    """Whether a definition only fills in for one that may be missing, or is a compiler's name."""
    return name.startswith("__") or region.condition == f"!defined({name})"
