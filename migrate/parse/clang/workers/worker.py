"""A worker process: reads one unit after another, and says how each went."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection

from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.limits import Limits, confine, with_deep_stack
from migrate.parse.clang.workers.pch import make_prelude

READY = "ready"
"""What a worker says once, before it is given its first unit."""
OUT_OF_MEMORY = b"out of memory"
"""Stands in what a worker writes before it dies for want of memory; LLVM writes it too."""


def serve(
    connection: Connection,
    chatter: Connection,
    read: Callable[[UnitTask], UnitResult],
    limits: Limits,
) -> None:
    """Read the units that come over a connection until it is closed; the process's own function."""
    confine(limits, chatter)
    with_deep_stack(partial(_serve, connection, read))


def _serve(connection: Connection, read: Callable[[UnitTask], UnitResult]) -> None:
    connection.send(READY)
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        _answer(connection, task, read)


def _answer(connection: Connection, task: UnitTask, read: Callable[[UnitTask], UnitResult]) -> None:
    try:
        connection.send(make_prelude(task) if task.output else read(task))
    except MemoryError:
        # What was half done holds memory still: a new process is the only clean state.
        os.write(2, OUT_OF_MEMORY)
        os.abort()
    except Exception as error:  # noqa: BLE001 - our fault, and it must cost this unit alone
        reason = f"our reader failed on it, please report this ({type(error).__name__}: {error})"
        facts = UnitFacts(path=task.unit.path, outcome=Outcome.FAILED, reason=reason)
        connection.send(UnitResult(facts))
