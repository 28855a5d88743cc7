"""Reads many files at once: a process pool, a fixed order, a bad file costing itself alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace

from migrate.model.facts import FileFacts
from migrate.model.source import SourceFile
from migrate.parse.conditions import ProjectMacros
from migrate.parse.spawn import spawn_context
from migrate.treefile import decode_text, read_regular_file

_SMALL_RUN_BYTES = 6_000_000
"""Below this a pool costs more than it saves: a worker needs about 0.3 s to start (gsplat 1.5.3,
3.6 MB: 0.9 s alone, 1.1 s with two workers)."""
_BATCH_BYTES = 1_500_000


@dataclass(frozen=True, slots=True)
class ReadTask:
    """What a worker needs: the folder, the files of one batch, the project's macros.

    ``own`` are the keys of the libraries that the tree is itself.
    """

    root: str
    files: tuple[SourceFile, ...]
    macros: ProjectMacros
    own: frozenset[str]


def parse_files(
    root: str,
    files: Sequence[SourceFile],
    macros: ProjectMacros,
    *,
    jobs: int,
    own: frozenset[str] = frozenset(),
    progress: Callable[[int], None] | None = None,
) -> Iterator[FileFacts]:
    """Read C-family files, and the CUDA in others, and yield their facts in the order given.

    Args:
        root: the folder that paths are relative to.
        files: what to read.
        macros: the project's own HIP and CUDA macros.
        own: keys of the libraries that the tree is itself; their names are not searched for.
        jobs: worker processes; 0 takes one a usable processor. A small run stays in this process.
        progress: called with the number of files done since the last call.

    A file that cannot be read, or whose reading fails, comes back with ``error`` set.
    """
    batches = [ReadTask(root, batch, macros, own) for batch in _batches(files)]
    count = min(jobs or usable_processors(), len(batches))
    small = jobs == 0 and sum(file.size for file in files) < _SMALL_RUN_BYTES
    results = map(read_batch, batches) if count <= 1 or small else _pooled(batches, count)
    for batch in results:
        yield from batch
        if progress is not None:
            progress(len(batch))


def usable_processors() -> int:
    """Processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _batches(files: Sequence[SourceFile]) -> Iterator[tuple[SourceFile, ...]]:
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.size
        if size >= _BATCH_BYTES:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def _pooled(batches: list[ReadTask], count: int) -> Iterator[tuple[FileFacts, ...]]:
    """Run batches in a pool; a batch whose worker dies is read again file by file, each alone."""
    with ProcessPoolExecutor(count, mp_context=spawn_context()) as pool:
        futures = [pool.submit(read_batch, batch) for batch in batches]
        for batch, future in zip(batches, futures, strict=True):
            try:
                yield future.result()
            except BrokenProcessPool:
                yield tuple(_read_alone(batch, file) for file in batch.files)


def _read_alone(batch: ReadTask, file: SourceFile) -> FileFacts:
    with ProcessPoolExecutor(1, mp_context=spawn_context()) as pool:
        try:
            return pool.submit(read_batch, replace(batch, files=(file,))).result()[0]
        except BrokenProcessPool:
            return FileFacts(
                path=file.path, language=file.language, error="the reader crashed on this file"
            )


def read_batch(task: ReadTask) -> tuple[FileFacts, ...]:
    """Read the files of one batch; runs in a worker."""
    return tuple(_read_file(task, file) for file in task.files)


def _read_file(task: ReadTask, file: SourceFile) -> FileFacts:
    from migrate.parse.python.embedded import read_embedded  # noqa: PLC0415
    from migrate.parse.reader import read_source  # noqa: PLC0415 - tree-sitter only where it is used
    from migrate.parse.vocabulary import load_vocabulary  # noqa: PLC0415

    try:
        data = read_regular_file(task.root, file.path)
        vocabulary = load_vocabulary(task.own)
        if not file.language.c_family:
            text = decode_text(data)
            return read_embedded(text, file.path, file.language, vocabulary, task.macros)
        return read_source(data, file.path, file.language, vocabulary, task.macros)
    except OSError as error:
        reason = error.strerror or str(error)
    except Exception as error:  # noqa: BLE001 - our fault, and it must cost this file alone
        reason = f"our reader failed on it, please report this ({type(error).__name__}: {error})"
    return FileFacts(path=file.path, language=file.language, error=reason)
