"""Readers of units that workers can import: each unit's name says what befalls it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from migrate.model.semantic import Outcome, UnitFacts
from migrate.model.unit import CompileArguments, Toolkit, Unit
from migrate.parse.clang.task import UnitResult, UnitTask


def task_of(path: str, root: str = "/tree", arguments: tuple[str, ...] = ()) -> UnitTask:
    unit = Unit(path=path, arguments=CompileArguments(), asks=(path,))
    return UnitTask(unit=unit, root=root, toolkit=Toolkit(), arguments=arguments)


def read_by_name(task: UnitTask) -> UnitResult:
    name = Path(task.unit.path).stem
    if name.endswith("_once") and task.fewer:
        return _result(task)
    befall = FATES.get(name.partition("_")[0])
    return (befall(task) if befall else None) or _result(task)


def _result(task: UnitTask, outcome: Outcome = Outcome.PARSED, reason: str = "") -> UnitResult:
    facts = UnitFacts(path=task.unit.path, outcome=outcome, reason=reason)
    return UnitResult(facts, (f"{task.root}/{task.unit.path}",))


def _crash(_: UnitTask) -> None:
    # To this thread: one sent to the process may come after the answer.
    signal.raise_signal(signal.SIGSEGV)


def _be_killed(_: UnitTask) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _hang(task: UnitTask) -> None:
    Path(task.root, "hanging").write_text(str(os.getpid()), "ascii")
    time.sleep(1000)


def _fail(_: UnitTask) -> None:
    raise LookupError("no such thing")


def _chatter(_: UnitTask) -> None:
    os.write(1, b"CHATTER\n")
    os.write(2, b"CHATTER\n" * 50_000)


def _ask_for_keys(task: UnitTask) -> UnitResult:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return _result(task, reason=f"{os.read(0, 1)!r} no terminal")
    return _result(task, reason="a terminal")


def _tell_prelude(task: UnitTask) -> UnitResult:
    return _result(task, reason="precompiled" if "-include-pch" in task.arguments else "as text")


def _fail_with_prelude(task: UnitTask) -> UnitResult:
    if "-include-pch" in task.arguments:
        _crash(task)
    return _tell_prelude(task)


FATES: dict[str, Callable[[UnitTask], UnitResult | None]] = {
    "segv": _crash,
    "abort": lambda _: os.abort(),
    "killed": _be_killed,
    "exit": lambda _: os._exit(3),
    "hang": _hang,
    "memory": lambda task: _result(task, reason=str(len(bytearray(1 << 40)))),
    "raise": _fail,
    "nothing": lambda task: _result(task, Outcome.FAILED, "libclang gave no translation unit"),
    "chatter": _chatter,
    "keys": _ask_for_keys,
    "pid": lambda task: _result(task, reason=str(os.getpid())),
    "tell": _tell_prelude,
    "refuse": _fail_with_prelude,
    "slow": lambda _: time.sleep(0.2),
}


def read_plainly(task: UnitTask) -> UnitResult:
    """Parse with the real libclang, and ask nothing but how it went."""
    from migrate.parse.clang.native import load_libclang  # noqa: PLC0415 - as a worker does

    load_libclang()
    from migrate.parse.clang.unit import UnitError, parse_unit  # noqa: PLC0415

    try:
        unit = parse_unit(task.unit.path, task.root, task.arguments)
    except UnitError as error:
        return _result(task, Outcome.FAILED, str(error))
    outcome = Outcome.PARTIAL if unit.errors or unit.missing_headers else Outcome.PARSED
    facts = UnitFacts(
        path=task.unit.path,
        outcome=outcome,
        errors=unit.errors,
        missing_headers=unit.missing_headers,
    )
    return UnitResult(facts, unit.included)
