"""CUDA names that a project maps to HIP itself, in a header that its HIP build includes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from migrate.facts.includes import IncludeGraph
from migrate.model.facts import FileFacts


def find_mapped_names(
    files: Sequence[FileFacts], graph: IncludeGraph, third_party: Collection[str]
) -> dict[str, frozenset[str]]:
    """The CUDA names that are mapped for HIP already, by the path of each file they hold for.

    A compatibility header (``#define cudaMalloc hipMalloc`` in code that only a HIP build
    compiles) answers for the files in which its definitions are in force. Headers of third-party
    copies answer for nothing.
    """
    mapped: dict[str, set[str]] = defaultdict(set)
    for file in files:
        if file.platform.shims and file.path not in third_party:
            for path in graph.reach(file.path):
                mapped[path] |= file.platform.shims
    return {path: frozenset(names) for path, names in mapped.items()}
