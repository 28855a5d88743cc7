"""What a file tells of the macros and names by which its project tells CUDA from HIP builds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from migrate.model.facts import PlatformMacros
from migrate.model.verdict import State
from migrate.parse.conditionals import Region, Regions
from migrate.parse.conditions import ProjectMacros, explained_by_tree, hip_by_name
from migrate.parse.directives import DefinedMacro, Directive, Directives, defined_macro
from migrate.parse.macros import MacroKind, macro_kind
from migrate.parse.vocabulary import Vocabulary

_HIP_NAME = re.compile(rb"(?:\([^()]*\))?[\s\\(]*(?:hip|HIP|roc[a-z]+_|roctx|miopen|__hip)\w*")
"""A macro's body that begins with a name of HIP or of a ROCm library."""
_DEFINED = re.compile(r"\bdefined[\s(]*([A-Za-z_]\w*)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_HIP_NAMESPACE = re.compile(
    rb"\bnamespace\s+([A-Za-z_]\w*)\s*=\s*(?:::\s*)?(?:hip|roc)\w*(?:\s*::\s*\w+)*\s*;"
)
_ON = frozenset({b"", b"1", b"(1)"})
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
    builds: dict[str, set[str]] = defaultdict(set)
    shims = set(declared) | _aliased_types(masked, regions, vocabulary)
    shims |= _namespaces_of_hip(masked, regions)
    by_value = _by_value(masked, directives)
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
        if macro.name not in by_value or not _is_zero(masked, macro, line):
            for build in _builds(macro.name, region, _body(masked, macro, line)):
                builds[build].add(macro.name)
    asked = frozenset[str]().union(
        *(explained_by_tree(region.condition, project) for region in regions.regions)
    )
    asked_hip = frozenset[str]().union(
        *(hip_by_name(region.condition, project) for region in regions.regions)
    )
    in_defined = {name for region in regions.regions for name in _DEFINED.findall(region.condition)}
    return PlatformMacros(
        **{build: frozenset(names) for build, names in builds.items()},
        by_value=by_value,
        asked=asked,
        asked_hip=asked_hip,
        asked_defined=frozenset(in_defined),
        shims=frozenset(shims),
        cuda_options=_cuda_options(regions, project),
    )


def _cuda_options(regions: Regions, project: ProjectMacros) -> frozenset[str]:
    names = {name for region in regions.regions for name in _NAME.findall(region.condition)}
    return frozenset(name for name in names if macro_kind(name, project) is MacroKind.CUDA_OPTION)


def _builds(name: str, region: Region, body: bytes) -> Iterator[str]:
    """Under which of the heads of ``PlatformMacros`` a definition belongs."""
    if _is_fallback(name, region):
        yield "elsewhere"
    elif region.state is State.HIP:
        yield "hip_only"
        if region.taken and body in _ON:
            yield "hip_platform"
    elif region.left_out:
        yield "cuda_only"
    else:
        yield "always_hip" if region.taken else "elsewhere"


def _by_value(masked: bytes, directives: Directives) -> frozenset[str]:
    """The macros that the file defines as 0 in one place and as something else in another."""
    bodies: dict[str, set[bool]] = {}
    for line in directives.of("define"):
        macro = defined_macro(masked, line)
        if macro is not None and not macro.function_like:
            bodies.setdefault(macro.name, set()).add(_is_zero(masked, macro, line))
    return frozenset(name for name, zeros in bodies.items() if len(zeros) > 1)


def _is_zero(masked: bytes, macro: DefinedMacro, line: Directive) -> bool:
    return _body(masked, macro, line) in {b"0", b"(0)"}


def _body(masked: bytes, macro: DefinedMacro, line: Directive) -> bytes:
    return masked[macro.body : line.end].strip()


def _namespaces_of_hip(masked: bytes, regions: Regions) -> set[str]:
    """The names of the project's that HIP-only code makes for a namespace of HIP's, as ``x::``."""
    return {
        f"{match[1].decode()}::"
        for match in _HIP_NAMESPACE.finditer(masked)
        if regions.state_at(match.start()) is State.HIP
    }


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
