"""Many units read at once: worker processes, a fixed order, a bad unit costing itself alone."""

from __future__ import annotations

import mmap
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path

from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.cache import UnitCache
from migrate.parse.clang.limits import Limits
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.worker import OUT_OF_MEMORY, READY, serve
from migrate.parse.workers import usable_processors

_STARTS = 3
"""How often in a row a worker may fail to start before no unit is tried any more."""
_KEPT_CHATTER = 4096
_SIGKILL = -9
_PAGE_BYTES = mmap.PAGESIZE

Read = Callable[[UnitTask], UnitResult]


def run_units(
    tasks: Sequence[UnitTask],
    *,
    jobs: int,
    cache: UnitCache | None = None,
    progress: Callable[[int], None] | None = None,
    limits: Limits | None = None,
    read: Read,
) -> Generator[UnitFacts, None, None]:
    """Read units in worker processes and yield their facts in the order given.

    Args:
        tasks: what to read.
        jobs: worker processes; 0 takes one a usable processor. A single one is a process too.
        cache: where results of earlier runs are; those of this run are added.
        progress: called with the number of units done since the last call.
        limits: what one unit may take; None for the usual ones.
        read: reads one unit, in a worker, which must be able to import it.

    A unit that crashes or hangs its worker, or of which nothing comes, is read once more with
    ``fewer`` set; what that gives is at best partial, and ``reason`` says what went wrong first.
    ``limited`` is set where a limit was reached, so that another machine may find more.
    """
    return _Pool(
        tasks,
        jobs=jobs or usable_processors(),
        cache=cache,
        progress=progress,
        limits=limits or Limits(),
        read=read,
    ).run()


@dataclass(frozen=True, slots=True)
class _Job:
    """A unit to be read; ``reason`` and ``limited`` tell how the first reading went."""

    index: int
    task: UnitTask
    reason: str = ""
    limited: bool = False


class _Worker:
    """A worker process as its parent sees it."""

    def __init__(self, read: Read, limits: Limits) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.heard, chatter = context.Pipe(duplex=False)
        self._limits = limits
        self._process = context.Process(
            target=serve, args=(theirs, chatter, read, limits), daemon=True
        )
        self._process.start()
        # Else the death of the process would not end the connections.
        theirs.close()
        chatter.close()
        self.job: _Job | None = None
        self.ready = False
        self.deadline = time.monotonic() + limits.seconds
        self._chatter = b""

    def give(self, job: _Job) -> None:
        """Send a unit; what goes wrong with that shows when an answer is awaited."""
        self._chatter = b""
        self.deadline = time.monotonic() + self._limits.seconds
        try:
            self.connection.send(job.task)
        except OSError:
            self.ready = False

    @property
    def worn(self) -> bool:
        """Whether earlier units left so much mapped that the next one would be short of it.

        Without this, what a unit may take would depend on the units before it. Asked of Linux only.
        """
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text("ascii").split()[0]
        except (OSError, IndexError):
            return False
        return int(pages) * _PAGE_BYTES > self._limits.memory // 2

    def listen(self) -> bool:
        """Take what the process wrote to its errors; False where there will be no more."""
        if os.name != "posix":
            return False
        try:
            said = os.read(self.heard.fileno(), 1 << 16)
        except OSError:
            said = b""
        self._chatter = (self._chatter + said)[-_KEPT_CHATTER:]
        return bool(said)

    def end(self, *, at_once: bool = True) -> None:
        """End the process; an idle one by itself."""
        self.connection.close()
        if not at_once:
            self._process.join(1.0)
        self._process.kill()
        self._process.join()

    def death(self) -> tuple[str, bool]:
        """Why the process ended, and whether a limit of this machine is behind it."""
        while self.listen():
            pass
        code = self._process.exitcode or 0
        if OUT_OF_MEMORY in self._chatter or b"bad_alloc" in self._chatter:
            return self._limits.too_large, True
        if code == _SIGKILL:
            return "the system ended its process, as it does where memory is short", True
        kind = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"libclang crashed on it ({kind})", False

    @property
    def last_words(self) -> str:
        """The last line of what the process wrote to its errors."""
        lines = self._chatter.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Let go of a process that has ended."""
        self.heard.close()
        self._process.close()


class _Pool:
    """The parent's side of a run."""

    def __init__(
        self,
        tasks: Sequence[UnitTask],
        *,
        jobs: int,
        cache: UnitCache | None,
        progress: Callable[[int], None] | None,
        limits: Limits,
        read: Read,
    ) -> None:
        self._tasks = tasks
        self._jobs = jobs
        self._cache = cache
        self._progress = progress
        self._limits = limits
        self._read = read
        self._fresh = iter(range(len(tasks)))
        self._again: deque[_Job] = deque()
        self._results: dict[int, UnitFacts] = {}
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        self._start_failure = ""

    def run(self) -> Generator[UnitFacts, None, None]:
        try:
            for index in range(len(self._tasks)):
                while index not in self._results:
                    self._step()
                yield self._results.pop(index)
        finally:
            for worker in self._workers:
                worker.end(at_once=worker.job is not None)
                worker.close()
            if self._cache:
                self._cache.trim()

    def _step(self) -> None:
        """Hand out what can be handed out, then see to whatever happens first."""
        self._hand_out()
        busy = [(worker, worker.job) for worker in self._workers if worker.job]
        if not busy:
            return
        ends: list[Connection] = [worker.connection for worker, _ in busy]
        ends += [worker.heard for worker, _ in busy]
        soonest = min(worker.deadline for worker, _ in busy)
        happened = wait(ends, max(0.0, soonest - time.monotonic()))
        for worker, job in busy:
            if worker.heard in happened:
                worker.listen()
            # An answer that came in time counts, however late the consumer lets us look.
            if worker.connection in happened:
                self._hear(worker, job)
            elif time.monotonic() >= worker.deadline:
                self._lose(worker, job, overtime=True)

    def _hand_out(self) -> None:
        idle = [worker for worker in self._workers if not worker.job]
        while idle or len(self._workers) < self._jobs:
            job = self._next_job()
            if job is None:
                return
            if self._failed_starts >= _STARTS:
                self._finish(job, _failed(job.task, self._start_failure))
                continue
            worker = self._fit(idle.pop()) if idle else self._start()
            worker.job = job
            if worker.ready:
                worker.give(job)

    def _fit(self, worker: _Worker) -> _Worker:
        """An idle worker, or a new one in its place."""
        if not worker.worn:
            return worker
        self._workers.remove(worker)
        worker.end(at_once=False)
        worker.close()
        return self._start()

    def _start(self) -> _Worker:
        worker = _Worker(self._read, self._limits)
        self._workers.append(worker)
        return worker

    def _next_job(self) -> _Job | None:
        """The next unit to be read; those that the cache knows are done on the way."""
        if self._again:
            return self._again.popleft()
        for index in self._fresh:
            job = _Job(index, self._tasks[index])
            known = self._cache.find(job.task) if self._cache else None
            if known is None:
                return job
            self._finish(job, known)
        return None

    def _hear(self, worker: _Worker, job: _Job) -> None:
        try:
            said = worker.connection.recv()
        except (EOFError, OSError):
            self._lose(worker, job)
            return
        if said == READY:
            worker.ready = True
            self._failed_starts = 0
            worker.give(job)
            return
        worker.job = None
        self._take(job, said)

    def _lose(self, worker: _Worker, job: _Job, *, overtime: bool = False) -> None:
        """Do away with a worker that died or that hangs; the next job starts another."""
        self._workers.remove(worker)
        worker.end(at_once=overtime)
        reason, limited = worker.death()
        if overtime:
            reason, limited = self._limits.too_slow, True
        if worker.ready:
            self._fail(job, reason, limited=limited)
        else:
            self._failed_starts += 1
            self._start_failure = f"no worker process could be started ({worker.last_words})"
            self._again.appendleft(job)
        worker.close()

    def _take(self, job: _Job, result: UnitResult) -> None:
        """What a worker answered, a failure being tried once more."""
        facts = result.facts
        if facts.outcome is Outcome.FAILED:
            self._fail(job, facts.reason, limited=facts.limited)
        elif job.task.fewer:
            reason = f"{job.reason}; read with fewer flags"
            self._finish(
                job, replace(facts, outcome=Outcome.PARTIAL, reason=reason, limited=job.limited)
            )
        else:
            if self._cache and not facts.limited:
                self._cache.store(job.task, result)
            self._finish(job, facts)

    def _fail(self, job: _Job, reason: str, *, limited: bool) -> None:
        if job.task.fewer:
            self._finish(job, _failed(job.task, job.reason, limited=job.limited or limited))
        else:
            again = replace(job.task, fewer=True)
            self._again.append(_Job(job.index, again, reason, limited))

    def _finish(self, job: _Job, facts: UnitFacts) -> None:
        self._results[job.index] = facts
        if self._progress:
            self._progress(1)


def _failed(task: UnitTask, reason: str, *, limited: bool = False) -> UnitFacts:
    return UnitFacts(path=task.unit.path, outcome=Outcome.FAILED, reason=reason, limited=limited)
