"""A project's own platform macros, inferred from where the tree defines them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from migrate.facts.includes import IncludeGraph
from migrate.model.facts import FileFacts

_CUDA_VERSION_MACROS = frozenset({"CUDART_VERSION", "CUDA_VERSION", "__CUDA_ARCH_LIST__"})
"""Macros of CUDA's headers and compiler that no HIP header defines."""


@dataclass(frozen=True, slots=True)
class InferredMacros:
    """What the tree tells of macros in one file.

    ``platform`` are defined in every HIP build and no CUDA build, ``hip`` in HIP-only code alone,
    ``cuda`` only where HIP is left out, ``always_hip`` in every HIP build and in some CUDA builds.
    """

    platform: frozenset[str] = frozenset()
    hip: frozenset[str] = frozenset()
    cuda: frozenset[str] = frozenset()
    always_hip: frozenset[str] = frozenset()

    def __or__(self, other: InferredMacros) -> InferredMacros:
        return InferredMacros(
            self.platform | other.platform,
            self.hip | other.hip,
            self.cuda | other.cuda,
            self.always_hip | other.always_hip,
        )


NOTHING_INFERRED = InferredMacros()


def infer_macros(
    files: Sequence[FileFacts], graph: IncludeGraph, mapped: Mapping[str, frozenset[str]]
) -> dict[str, InferredMacros]:
    """Find what the definitions in a tree tell of the macros that each file's conditions ask for.

    ``#if !defined(USE_HIP) && __CUDA_ARCH__ >= 800`` around ``#define HAS_ASYNC_COPY`` makes
    ``HAS_ASYNC_COPY`` a macro of CUDA builds, in the files in which that definition is in force. A
    macro that is also defined in other places tells nothing, and one that the other build defines
    as 0 tells nothing where ``defined()`` asks for it. In a file for which a compatibility header
    answers (``mapped``) a HIP build is known to compile, so CUDA's version macros, which it does
    not have, tell the two apart there.

    Returns:
        Files with an inferred macro among those they ask for, by path.
    """
    elsewhere = frozenset[str]().union(*(file.platform.elsewhere for file in files))
    by_value = frozenset[str]().union(*(file.platform.by_value for file in files))
    asked_anywhere = frozenset[str]().union(
        *(file.platform.asked | file.platform.asked_hip for file in files)
    )
    wanted = asked_anywhere - elsewhere
    every = _reached(files, graph, wanted, lambda file: file.platform.hip_platform)
    hip = _reached(files, graph, wanted, lambda file: file.platform.hip_only)
    cuda = _reached(files, graph, wanted, lambda file: file.platform.cuda_only)
    always = _reached(files, graph, wanted, lambda file: file.platform.always_hip)
    found = {}
    for file in files:
        doubtful = file.platform.asked_defined & by_value
        asked = file.platform.asked - doubtful
        asked_hip = file.platform.asked_hip - doubtful
        platform = every[file.path] - cuda[file.path] - always[file.path]
        names = mapped.get(file.path)
        versions = _CUDA_VERSION_MACROS - names if names else frozenset[str]()
        here = InferredMacros(
            platform=(asked | asked_hip) & platform,
            hip=asked & (hip[file.path] - cuda[file.path] - always[file.path] - platform),
            cuda=asked & ((cuda[file.path] - hip[file.path] - always[file.path]) | versions),
            always_hip=asked & (always[file.path] - cuda[file.path]),
        )
        if here != NOTHING_INFERRED:
            found[file.path] = here
    return found


def _reached(
    files: Sequence[FileFacts],
    graph: IncludeGraph,
    wanted: frozenset[str],
    defines: Callable[[FileFacts], frozenset[str]],
) -> Mapping[str, set[str]]:
    """The wanted macros that are defined in a given way, by the files where that is in force."""
    reached: dict[str, set[str]] = defaultdict(set)
    for file in files:
        names = defines(file) & wanted
        if names:
            for path in graph.reach(file.path):
                reached[path] |= names
    return reached
