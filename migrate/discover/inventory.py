"""From the paths a user gives to the list of files to read: the stage's one function."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from migrate.discover.git import read_commit
from migrate.discover.ignore import PatternList
from migrate.discover.language import (
    BINDING_SUFFIXES,
    FORTRAN_SUFFIXES,
    HEAD_BYTES,
    is_hipified,
    is_lfs_pointer,
    looks_binary,
    looks_like_binding,
    looks_like_c,
    looks_like_cuda,
    looks_like_gpu_fortran,
    suffix_of,
)
from migrate.discover.vendored import (
    in_vendored_folder,
    is_project_itself,
    is_sample_helper,
    is_single_file_project,
    is_test,
    library_copies,
    names_itself,
    single_file_library,
)
from migrate.discover.walk import Candidate, Filters, Walk, reason_of
from migrate.errors import AssessError
from migrate.model.source import Inventory, Language, Skipped, SourceFile
from migrate.treefile import printable_path, read_head, read_small

_MEBIBYTE = 1 << 20
_CMAKE_LIMIT = 1 << 20


def discover_sources(
    paths: Sequence[Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_file_bytes: int = 20 * _MEBIBYTE,
) -> Inventory:
    """Find the files to read under ``paths``, files or folders that make one assessment.

    The root is the folder itself, the parent of a single file, or what several paths have in
    common. ``include`` and ``exclude`` are patterns in the form of .gitignore, relative to the
    root; a file that is named itself is always taken. Larger files than ``max_file_bytes`` are
    noted, not read.

    Raises:
        AssessError: a path does not exist, or the paths have no folder in common.
    """
    root, starts = root_and_starts(paths)
    walk = Walk(root, Filters(PatternList(include), PatternList(exclude)))
    for start in starts:
        if Path(root, start).is_dir():
            walk.folder(f"{start}/" if start else "")
        else:
            walk.file(start)
    reader = _Reader(root, max_file_bytes)
    sources = [source for one in walk.candidates if (source := reader.source(one)) is not None]
    sources = _mark_vendored(sources, starts, walk.submodules, root, reader.copies)
    empty = (Skipped(path, "submodule that is not checked out") for path in walk.empty_submodules())
    skipped = (*walk.skipped, *reader.skipped, *empty)
    return Inventory(
        root=root,
        sources=tuple(
            sorted(
                (replace(source, path=printable_path(source.path)) for source in sources),
                key=lambda source: source.path,
            )
        ),
        skipped=tuple(
            sorted(
                (replace(one, path=printable_path(one.path)) for one in skipped),
                key=lambda one: (one.path, one.reason),
            )
        ),
        commit=read_commit(root),
    )


def root_and_starts(paths: Sequence[Path]) -> tuple[str, tuple[str, ...]]:
    """Return the root, and the paths relative to it ("" for the root), none inside another.

    Raises:
        AssessError: a path does not exist, or the paths have no folder in common.
    """
    full: list[str] = []
    for path in paths:
        if not path.exists():
            raise AssessError(
                f"There is no such path: {printable_path(str(path))}",
                slug="no-such-path",
                hint="Give one or more folders or files that exist.",
            )
        full.append(os.path.realpath(path))
    if not full:
        raise AssessError(
            "No path was given.", slug="no-such-path", hint="Give a folder or a file to scan."
        )
    try:
        root = os.path.commonpath(full)
    except ValueError:
        raise AssessError(
            "The paths have no folder in common.",
            slug="no-common-folder",
            hint="Scan paths on different drives one by one.",
        ) from None
    if not Path(root).is_dir():
        root = str(Path(root).parent)
    relative = {"" if path == root else _slashes(os.path.relpath(path, root)) for path in full}
    kept = [path for path in relative if not _has_parent(path, relative)]
    return root, tuple(sorted(kept))


def title_of(paths: Sequence[Path]) -> str:
    """Return what to call the code under ``paths``: the root's name, or their names together.

    Several paths are named in the order given, by their own names where these differ.

    Raises:
        AssessError: as :func:`discover_sources`.
    """
    root, starts = root_and_starts(paths)
    if len(starts) == 1:
        return printable_path(Path(root).name)
    given = [_slashes(os.path.relpath(os.path.realpath(path), root)) for path in paths]
    kept = [path for path in dict.fromkeys(given) if path in starts]
    names = [path.rpartition("/")[2] for path in kept]
    return printable_path(" + ".join(names if len(set(names)) == len(names) else kept))


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/")


def _has_parent(path: str, among: Iterable[str]) -> bool:
    """Whether another of the paths holds this one."""
    return any(other != path and (not other or path.startswith(f"{other}/")) for other in among)


class _Reader:
    """Looks at the first bytes of candidates and turns them into sources or reasons."""

    def __init__(self, root: str, max_file_bytes: int) -> None:
        self.root = root
        self.max_file_bytes = max_file_bytes
        self.skipped: list[Skipped] = []
        self.copies: dict[str, str] = {}
        """Paths of files that are a library in one file, with the library."""

    def source(self, candidate: Candidate) -> SourceFile | None:
        """Return the file as a source; None where it is none or cannot be read (then noted)."""
        known = candidate.language
        if candidate.size == 0:
            if known is not None and known.c_family:
                self._skip(candidate, "empty file", candidate=False)
            return None
        if candidate.size > self.max_file_bytes:
            if known is not None:
                self._skip(candidate, f"larger than {_size(self.max_file_bytes)}")
            return None
        if known is not None and not known.c_family and known is not Language.PTX:
            return _source(candidate, known)
        return self._by_content(candidate)

    def _by_content(self, candidate: Candidate) -> SourceFile | None:
        known = candidate.language
        try:
            head = read_head(f"{self.root}/{candidate.path}", HEAD_BYTES)
        except OSError as error:
            if known is not None:
                self._skip(candidate, reason_of(error))
            return None
        if known is None:
            return self._unnamed(candidate, head)
        if looks_binary(head):
            self._skip(candidate, "binary content")
        elif is_lfs_pointer(head):
            self._skip(candidate, "Git LFS pointer: its content is not here")
        elif suffix_of(candidate.path).lower() == ".inc" and not looks_like_c(head):
            return None
        else:
            library = single_file_library(candidate.path.rpartition("/")[2], head)
            if library:
                self.copies[candidate.path] = library
            hip = known.c_family and is_hipified(head)
            return _source(candidate, Language.HIP if hip else known)
        return None

    def _unnamed(self, candidate: Candidate, head: bytes) -> SourceFile | None:
        """Take in a file that only its content shows to be CUDA."""
        suffix = suffix_of(candidate.path).lower()
        if suffix in FORTRAN_SUFFIXES:
            return self._fortran(candidate)
        if suffix in BINDING_SUFFIXES:
            return _source(candidate, Language.OTHER_CODE) if looks_like_binding(head) else None
        return _source(candidate, Language.CUDA) if looks_like_cuda(head) else None

    def _fortran(self, candidate: Candidate) -> SourceFile | None:
        """Take in Fortran for GPUs; a directive may stand anywhere in the file."""
        try:
            text = read_head(f"{self.root}/{candidate.path}", candidate.size)
        except OSError as error:
            self._skip(candidate, reason_of(error))
            return None
        return _source(candidate, Language.FORTRAN) if looks_like_gpu_fortran(text) else None

    def _skip(self, one: Candidate, reason: str, *, candidate: bool = True) -> None:
        self.skipped.append(Skipped(one.path, reason, candidate=candidate, size=one.size))


def _size(count: int) -> str:
    return f"{count / _MEBIBYTE:g} MiB" if count >= _MEBIBYTE else f"{count:,} bytes"


def _source(candidate: Candidate, language: Language) -> SourceFile:
    return SourceFile(path=candidate.path, size=candidate.size, language=language)


def _mark_vendored(
    sources: Sequence[SourceFile],
    starts: Sequence[str],
    submodules: Iterable[str],
    root: str,
    single_files: Mapping[str, str],
) -> list[SourceFile]:
    """Mark third-party copies and tests; what the user named as PATH is never third-party."""
    prefixes = tuple(f"{start}/" for start in starts if start)
    modules = tuple(f"{path}/" for path in submodules)

    def below(path: str) -> str:
        start = next((prefix for prefix in prefixes if path.startswith(prefix)), "")
        return path[len(start) :]

    by_place = {
        source.path
        for source in sources
        if in_vendored_folder(below(source.path))
        or (bool(modules) and source.path.startswith(modules))
    }
    own = [source for source in sources if source.path not in by_place and source.language.c_family]
    copies = library_copies([source.path for source in own])
    copied = _copied_files(single_files, starts, root)
    named = names_itself(read_small(f"{root}/CMakeLists.txt", _CMAKE_LIMIT))
    if copies and is_project_itself(
        ((source.path, source.size) for source in own), copies, named=named
    ):
        copies = ()
    return [
        replace(
            source,
            vendored=source.path in by_place
            or (bool(copies) and source.path.startswith(copies))
            or source.path in copied
            or (is_sample_helper(source.path.rpartition("/")[2]) and source.path not in starts),
            test=is_test(below(source.path)),
        )
        for source in sources
    ]


def _copied_files(
    single_files: Mapping[str, str], starts: Sequence[str], root: str
) -> frozenset[str]:
    """Return the files that are copies of a library in one file, not that library's own tree."""
    own: dict[tuple[str, str], bool] = {}
    copied = set()
    for path, library in single_files.items():
        start = next((start for start in starts if not start or path.startswith(f"{start}/")), path)
        key = (start, library)
        if key not in own:
            folder = f"{root}/{start}".rstrip("/")
            cmake = read_small(f"{folder}/CMakeLists.txt", _CMAKE_LIMIT)
            own[key] = path == start or is_single_file_project(
                library, folder.rpartition("/")[2], cmake
            )
        if not own[key]:
            copied.add(path)
    return frozenset(copied)
