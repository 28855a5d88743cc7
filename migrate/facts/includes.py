"""Which file of a tree includes which, and for which files a header's definitions are in force."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import dirname, join, normpath

from migrate.model.facts import FileFacts


class IncludeGraph:
    """The includes between a tree's files; a name that may mean several files means all of them."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self._includes: dict[str, set[str]] = defaultdict(set)
        self._included_by: dict[str, set[str]] = defaultdict(set)
        self._reach: dict[str, frozenset[str]] = {}
        paths = {file.path for file in files}
        by_name: dict[str, list[str]] = defaultdict(list)
        for path in sorted(paths):
            by_name[path.rpartition("/")[2]].append(path)
        for file in files:
            for include in file.includes:
                for target in resolve_include(file.path, include.name, paths, by_name):
                    self._includes[file.path].add(target)
                    self._included_by[target].add(file.path)

    def reach(self, path: str) -> frozenset[str]:
        """The files in which a file's definitions are in force.

        Those are the file, what includes it, directly or through others, and a header that only
        such files include: they have read the definitions by then.
        """
        known = self._reach.get(path)
        if known is None:
            known = self._reach[path] = frozenset(self._spread(path))
        return known

    def _spread(self, path: str) -> set[str]:
        reached = {path}
        queue = deque([path])
        while queue:
            here = queue.popleft()
            inherited = (
                header
                for header in self._includes.get(here, ())
                if here != path and self._included_by[header] <= reached
            )
            for one in (*self._included_by.get(here, ()), *inherited):
                if one not in reached:
                    reached.add(one)
                    queue.append(one)
        return reached


def resolve_include(
    path: str, name: str, paths: Collection[str], by_name: Mapping[str, Sequence[str]]
) -> Iterable[str]:
    """The tree's files that an include may mean: beside the file, else by the end of the path.

    None includes itself: ``<cuda.h>`` of a file ``vendors/cuda.h`` means another's.
    """
    beside = normpath(join(dirname(path), name))
    if beside in paths and beside != path:
        return (beside,)
    parts = [part for part in name.split("/") if part not in {".", ".."}]
    tail = "/".join(parts)
    named = by_name.get(parts[-1], ()) if parts else ()
    return tuple(one for one in named if (one == tail or one.endswith(f"/{tail}")) and one != path)
