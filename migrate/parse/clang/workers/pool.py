"""Many units read at once: worker processes, a fixed order, a bad unit costing itself alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection, wait

from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.cache import UnitCache
from migrate.parse.clang.workers.limits import Limits
from migrate.parse.clang.workers.pch import Preludes
from migrate.parse.clang.workers.process import WorkerProcess
from migrate.parse.clang.workers.worker import READY
from migrate.parse.workers import usable_processors

_STARTS = 3
"""How often in a row a worker may fail to start before no unit is tried any more."""
_TRIES = 2
"""As it is, and with fewer flags."""

Read = Callable[[UnitTask], UnitResult]


def run_units(
    tasks: Sequence[UnitTask],
    *,
    jobs: int,
    cache: UnitCache | None = None,
    preludes: Preludes | None = None,
    progress: Callable[[int], None] | None = None,
    limits: Limits | None = None,
    read: Read,
) -> Generator[UnitFacts, None, None]:
    """Read units in worker processes and yield their facts in the order given.

    Args:
        tasks: what to read.
        jobs: worker processes; 0 takes one a usable processor. A single one is a process too.
        cache: where results of earlier runs are; those of this run are added.
        preludes: CUDA's headers precompiled, where that pays.
        progress: called with the number of units done since the last call.
        limits: what one unit may take; None for the usual ones.
        read: reads one unit, in a worker, which must be able to import it.

    A unit that crashes its worker, or of which nothing comes, is read once more with ``fewer``
    set; what that gives is at best partial, and ``reason`` says what went wrong first. One that
    takes too long is not. ``limited`` is set where a limit was reached, so that another machine
    may find more.
    """
    tell = progress or (lambda _: None)
    pool = _Pool(jobs or usable_processors(), limits or Limits(), read, tell)
    try:
        known = _known(tasks, cache)
        if known:
            tell(len(known))
        fresh = [task for index, task in enumerate(tasks) if index not in known]
        results = _read(fresh, pool, preludes)
        for index, task in enumerate(tasks):
            facts = known.pop(index, None)
            if facts is None:
                result = next(results)
                facts = result.facts
                if cache:
                    cache.store(task, result)
            yield facts
    finally:
        pool.close()
        if preludes:
            preludes.close()
        if cache:
            cache.trim()


def _known(tasks: Sequence[UnitTask], cache: UnitCache | None) -> dict[int, UnitFacts]:
    """What earlier runs found of units that are as they were, by index."""
    if cache is None:
        return {}
    found = ((index, cache.find(task)) for index, task in enumerate(tasks))
    return {index: facts for index, facts in found if facts is not None}


def _read(
    tasks: Sequence[UnitTask], pool: _Pool, preludes: Preludes | None
) -> Iterator[UnitResult]:
    """Read units, with their preludes precompiled where that is allowed."""
    if preludes is None:
        yield from pool.results([(task, _fewer(task)) for task in tasks])
        return
    making = preludes.wanted(tasks)
    for task, made in zip(making, pool.results([(task,) for task in making]), strict=True):
        preludes.take(task, made)
    applied = [preludes.applied(task) for task in tasks]
    attempts = [
        (quick[0], task, _fewer(task)) if quick else (task, _fewer(task))
        for quick, task in zip(applied, tasks, strict=True)
    ]
    for quick, result in zip(applied, pool.results(attempts), strict=True):
        if quick and result.opened:
            yield replace(result, opened=(*result.opened, *quick[1]))
        else:
            yield result


def _fewer(task: UnitTask) -> UnitTask:
    return replace(task, fewer=True)


@dataclass(frozen=True, slots=True)
class _Job:
    """A unit to be read, by one task after the other until one gives something.

    ``reason`` and ``limited`` tell how it went before the last one.
    """

    index: int
    tasks: tuple[UnitTask, ...]
    reason: str = ""
    limited: bool = False

    @property
    def task(self) -> UnitTask:
        return self.tasks[0]


class _Pool:
    """Worker processes, started as they are needed and kept until the pool is closed."""

    def __init__(self, most: int, limits: Limits, read: Read, tell: Callable[[int], None]) -> None:
        self._most = most
        self._limits = limits
        self._worker = partial(WorkerProcess, read, limits)
        self._tell = tell
        self._queue: deque[_Job] = deque()
        self._running: list[WorkerProcess] = []
        self._idle: list[WorkerProcess] = []
        self._busy: dict[WorkerProcess, _Job] = {}
        self._results: dict[int, UnitResult] = {}
        self._failed_starts = 0
        self._last_words = ""
        self._overtimes = 0

    def results(self, attempts: Sequence[tuple[UnitTask, ...]]) -> Iterator[UnitResult]:
        """What reading units gave, in their order; each has the tasks that are tried for it."""
        self._queue.extend(_Job(index, tasks) for index, tasks in enumerate(attempts))
        for index in range(len(attempts)):
            while index not in self._results:
                self._hand_out()
                self._await()
            yield self._results.pop(index)

    def close(self) -> None:
        """End all processes; those that wait for work end by themselves."""
        for worker in self._running:
            worker.connection.close()
        for worker in tuple(self._running):
            self._end(worker, at_once=worker not in self._idle)

    def _hand_out(self) -> None:
        while self._queue and (self._idle or len(self._busy) < self._most):
            job = self._queue.popleft()
            if self._failed_starts >= _STARTS:
                reason = f"no worker process could be started ({self._last_words})"
                self._finish(job, _failed(job.task, reason))
                continue
            limits = self._limits.after(self._overtimes)
            if limits is None:
                reason = f"not tried after {self._overtimes} units that took too long"
                self._finish(job, _failed(job.task, job.reason or reason, limited=True))
                continue
            worker = self._fit_worker()
            worker.limits = limits
            self._busy[worker] = job
            if worker.ready:
                worker.give(job.task)

    def _fit_worker(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if not worker.worn:
                return worker
            self._end(worker)
        worker = self._worker()
        self._running.append(worker)
        return worker

    def _end(self, worker: WorkerProcess, *, at_once: bool = False) -> tuple[str, bool]:
        """End a process and let go of it; why it was dead, if it was."""
        worker.end(at_once=at_once)
        found = worker.death()
        self._running.remove(worker)
        worker.close()
        return found

    def _await(self) -> None:
        """See to whatever happens first: an answer, a death, a limit of time."""
        busy = list(self._busy)
        if not busy:
            return
        ends: list[Connection] = [worker.connection for worker in busy]
        ends += [worker.heard for worker in busy]
        soonest = min(worker.deadline for worker in busy)
        happened = wait(ends, max(0.0, soonest - time.monotonic()))
        for worker in busy:
            if worker.heard in happened:
                worker.listen()
            # An answer that came in time counts, however late the consumer lets us look.
            if worker.connection in happened:
                self._hear(worker)
            elif time.monotonic() >= worker.deadline:
                self._lose(worker, overtime=True)

    def _hear(self, worker: WorkerProcess) -> None:
        try:
            said = worker.connection.recv()
        except (EOFError, OSError):
            self._lose(worker)
            return
        if said == READY:
            worker.ready = True
            self._failed_starts = 0
            worker.give(self._busy[worker].task)
            return
        self._take(self._busy.pop(worker), said)
        self._idle.append(worker)

    def _lose(self, worker: WorkerProcess, *, overtime: bool = False) -> None:
        """Do away with a worker that died or that hangs; the next job starts another."""
        job = self._busy.pop(worker)
        reason, limited = self._end(worker, at_once=overtime)
        if overtime and worker.ready:
            self._overtimes += 1
            # Flags are seldom why, and to try them costs as much time again.
            last = replace(job, tasks=job.tasks[-1:])
            self._fail(last, worker.limits.too_slow, limited=True)
        elif worker.ready:
            self._fail(job, reason, limited=limited)
        else:
            self._failed_starts += 1
            self._last_words = worker.last_words
            self._queue.appendleft(job)

    def _take(self, job: _Job, result: UnitResult) -> None:
        facts = result.facts
        if facts.outcome is Outcome.FAILED:
            self._fail(job, facts.reason, limited=facts.limited)
        elif job.reason:
            told = replace(
                facts,
                outcome=Outcome.PARTIAL,
                reason=f"{job.reason}; read with fewer flags",
                limited=job.limited,
            )
            # What was opened is not told: such a result is not kept.
            self._finish(job, UnitResult(told))
        else:
            self._finish(job, result)

    def _fail(self, job: _Job, reason: str, *, limited: bool) -> None:
        """Try what is left to be tried; the last task is the one with fewer flags.

        What comes before is the unit with its prelude precompiled, and fails without a word where
        that cannot be loaded; the limits count at once.
        """
        if len(job.tasks) > _TRIES and not limited:
            self._queue.appendleft(_Job(job.index, job.tasks[1:]))
        elif len(job.tasks) > 1:
            self._queue.appendleft(_Job(job.index, job.tasks[-1:], reason, limited))
        else:
            failed = _failed(job.task, job.reason or reason, limited=job.limited or limited)
            self._finish(job, failed)

    def _finish(self, job: _Job, result: UnitResult) -> None:
        self._results[job.index] = result
        if not job.task.output:
            self._tell(1)


def _failed(task: UnitTask, reason: str, *, limited: bool = False) -> UnitResult:
    facts = UnitFacts(path=task.unit.path, outcome=Outcome.FAILED, reason=reason, limited=limited)
    return UnitResult(facts)
