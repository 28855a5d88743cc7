"""CUDA names that a project maps to HIP itself, in a header that its HIP build includes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import dirname, join, normpath

from migrate.model.facts import FileFacts


def find_mapped_names(
    files: Sequence[FileFacts], third_party: Collection[str]
) -> dict[str, frozenset[str]]:
    """The CUDA names that are mapped for HIP already, by the path of each file they hold for.

    A compatibility header (``#define cudaMalloc hipMalloc`` in code that only a HIP build
    compiles) answers for the files that include it, directly or through others. Headers of
    third-party copies answer for nothing.
    """
    shims = {
        file.path: file.platform.shims
        for file in files
        if file.platform.shims and file.path not in third_party
    }
    if not shims:
        return {}
    included_by = _included_by(files)
    mapped: dict[str, set[str]] = defaultdict(set)
    for header, names in shims.items():
        for path in _reached(header, included_by):
            mapped[path] |= names
    return {path: frozenset(names) for path, names in mapped.items()}


def _included_by(files: Sequence[FileFacts]) -> Mapping[str, Sequence[str]]:
    """The files that include each file of the tree."""
    paths = {file.path for file in files}
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in sorted(paths):
        by_name[path.rpartition("/")[2]].append(path)
    included_by: dict[str, list[str]] = defaultdict(list)
    for file in files:
        for include in file.includes:
            for target in _resolve(file.path, include.name, paths, by_name):
                included_by[target].append(file.path)
    return included_by


def _resolve(
    path: str, name: str, paths: Collection[str], by_name: Mapping[str, Sequence[str]]
) -> Iterable[str]:
    """The tree's files that an include may mean: beside the file, else by the end of the path."""
    beside = normpath(join(dirname(path), name))
    if beside in paths:
        return (beside,)
    parts = [part for part in name.split("/") if part not in {".", ".."}]
    tail = "/".join(parts)
    named = by_name.get(parts[-1], ()) if parts else ()
    return tuple(one for one in named if one == tail or one.endswith(f"/{tail}"))


def _reached(start: str, edges: Mapping[str, Sequence[str]]) -> set[str]:
    seen = {start}
    queue = deque([start])
    while queue:
        for path in edges.get(queue.popleft(), ()):
            if path not in seen:
                seen.add(path)
                queue.append(path)
    return seen
