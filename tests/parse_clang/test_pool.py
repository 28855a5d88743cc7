"""Units in worker processes: a bad one costs itself alone, and nothing is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing import active_children
from pathlib import Path

import pytest

from migrate.model.semantic import Outcome, UnitFacts
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.limits import Limits
from migrate.parse.clang.workers.pool import run_units
from tests.parse_clang.readers import read_by_name, read_plainly, task_of

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX's")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
PATIENT = Limits()
HASTY = Limits(seconds=1.5)


def run(
    names: Sequence[str], jobs: int = 1, limits: Limits = PATIENT, root: str = "/tree"
) -> list[UnitFacts]:
    tasks = [task_of(name, root) for name in names]
    return list(run_units(tasks, jobs=jobs, limits=limits, read=read_by_name))


def test_facts_come_in_the_order_given_whatever_finishes_first() -> None:
    names = ["slow_1.cu", "a.cu", "b.cu", "slow_2.cu", "c.cu"]
    assert [facts.path for facts in run(names, jobs=3)] == names


def test_no_task_is_no_unit_and_no_process() -> None:
    assert run([]) == []


@POSIX
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("segv.cu", "libclang crashed on it (signal 11)"),
        ("abort.cu", "libclang crashed on it (signal 6)"),
        ("exit.cu", "libclang crashed on it (exit code 3)"),
        ("nothing.cu", "libclang gave no translation unit"),
        ("raise.cu", "our reader failed on it, please report this (LookupError: no such thing)"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_bad_unit_costs_itself_alone(name: str, reason: str, jobs: int) -> None:
    before, bad, after = run(["a.cu", name, "b.cu"], jobs)
    assert (before.outcome, after.outcome) == (Outcome.PARSED, Outcome.PARSED)
    assert (bad.outcome, bad.reason, bad.limited) == (Outcome.FAILED, reason, False)


@POSIX
def test_unit_that_hangs_is_ended_and_says_how_long_it_had(tmp_path: Path) -> None:
    before, bad, after = run(["a.cu", "hang.cu", "b.cu"], 1, HASTY, str(tmp_path))
    assert (before.outcome, after.outcome) == (Outcome.PARSED, Outcome.PARSED)
    assert (bad.outcome, bad.reason) == (Outcome.FAILED, "it took longer than 1.5 s")
    assert bad.limited


@LINUX
def test_unit_that_needs_too_much_memory_says_so() -> None:
    bad, after = run(["memory.cu", "b.cu"])
    assert (bad.outcome, bad.reason) == (Outcome.FAILED, "it needed more than 4 GiB")
    assert bad.limited
    assert after.outcome is Outcome.PARSED


@POSIX
def test_process_that_the_system_ended_is_told_from_a_crash() -> None:
    (bad,) = run(["killed.cu"])
    assert "the system ended its process" in bad.reason
    assert bad.limited


@POSIX
@pytest.mark.parametrize(
    ("name", "limited"),
    [("segv_once.cu", False), ("nothing_once.cu", False), ("killed_once.cu", True)],
)
def test_second_try_with_fewer_flags_is_partial_and_tells_of_the_first(
    name: str, limited: bool
) -> None:
    (facts,) = run([name])
    assert (facts.outcome, facts.limited) == (Outcome.PARTIAL, limited)
    assert facts.reason.endswith("; read with fewer flags")


@POSIX
def test_unit_that_took_too_long_is_not_tried_again(tmp_path: Path) -> None:
    (facts,) = run(["hang_once.cu"], 1, HASTY, str(tmp_path))
    assert (facts.outcome, facts.reason) == (Outcome.FAILED, "it took longer than 1.5 s")


@POSIX
def test_many_units_that_take_too_long_cost_the_others_time_and_then_their_try(
    tmp_path: Path,
) -> None:
    names = [f"hang_{number}.cu" for number in range(10)] + ["late.cu"]
    found = run(names, 1, Limits(seconds=0.8), str(tmp_path))
    assert [facts.reason for facts in found] == [
        *["it took longer than 0.8 s"] * 3,
        *["it took longer than 0.2 s"] * 7,
        "not tried after 10 units that took too long",
    ]
    assert {facts.limited for facts in found} == {True}


@POSIX
def test_unit_beside_few_that_take_too_long_is_read(tmp_path: Path) -> None:
    found = run(["hang_1.cu", "hang_2.cu", "a.cu"], 2, HASTY, str(tmp_path))
    assert found[-1].outcome is Outcome.PARSED


def test_one_worker_reads_many_units() -> None:
    assert len({facts.reason for facts in run(["pid_1.cu", "pid_2.cu", "pid_3.cu"])}) == 1


def test_one_job_is_a_process_of_its_own_too() -> None:
    (facts,) = run(["pid.cu"])
    assert facts.reason != str(os.getpid())


@POSIX
def test_same_facts_whatever_the_number_of_jobs() -> None:
    names = ["a.cu", "segv.cu", "segv_once.cu", "raise.cu", "slow.cu", "b.cu"]
    assert run(names, jobs=1) == run(names, jobs=4)


def test_every_unit_is_counted_once_as_it_is_done() -> None:
    done: list[int] = []
    tasks = [task_of(name) for name in ("a.cu", "raise.cu", "b.cu")]
    list(run_units(tasks, jobs=2, progress=done.append, read=read_by_name))
    assert sum(done) == 3


@POSIX
def test_what_libclang_writes_reaches_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    (facts,) = run(["chatter.cu"])
    assert facts.outcome is Outcome.PARSED
    assert "CHATTER" not in "".join(capfd.readouterr())


@POSIX
def test_worker_reads_no_keys() -> None:
    (facts,) = run(["keys.cu"])
    assert facts.reason == "b'' no terminal"


def test_nothing_runs_on_after_a_consumer_that_stops_early(tmp_path: Path) -> None:
    tasks = [task_of(name, str(tmp_path)) for name in ("a.cu", "hang.cu", "b.cu")]
    units = run_units(tasks, jobs=2, read=read_by_name)
    assert next(iter(units)).path == "a.cu"
    units.close()
    assert active_children() == []


def test_nothing_runs_on_after_an_interrupt(tmp_path: Path) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    tasks = [task_of(name, str(tmp_path)) for name in ("a.cu", "hang.cu", "b.cu")]
    with pytest.raises(KeyboardInterrupt):
        list(run_units(tasks, jobs=2, progress=interrupt, read=read_by_name))
    assert active_children() == []


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@LINUX
def test_hanging_worker_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from migrate.parse.clang.workers.pool import run_units\n"
        "from tests.parse_clang.readers import read_by_name, task_of\n"
        "if __name__ == '__main__':\n"
        "    list(run_units([task_of('hang.cu', sys.argv[1])], jobs=1, read=read_by_name))\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(program, "utf-8")
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    parent = subprocess.Popen([sys.executable, script, tmp_path], env={**os.environ, **paths})
    told = tmp_path / "hanging"
    while not told.exists() or not told.read_text("ascii"):
        assert parent.poll() is None
        time.sleep(0.05)
    worker = int(told.read_text("ascii"))
    assert _runs(worker)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    for _ in range(200):
        if not _runs(worker):
            break
        time.sleep(0.05)
    assert not _runs(worker)


class _Unloadable:
    """Arrives in a worker as something that cannot be made there."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (_explode, ("here",))

    def __call__(self, _: UnitTask) -> UnitResult:
        raise AssertionError


def _explode(where: str) -> object:
    raise OSError(f"not {where}")


@POSIX
def test_worker_that_cannot_start_fails_every_unit_and_says_why() -> None:
    tasks = [task_of("a.cu"), task_of("b.cu")]
    found = list(run_units(tasks, jobs=2, read=_Unloadable()))
    assert [facts.outcome for facts in found] == [Outcome.FAILED] * 2
    assert {facts.reason.partition(" (")[0] for facts in found} == {
        "no worker process could be started"
    }


HOSTILE = {
    "parentheses": "int x = " + "(" * 200_000 + "1" + ")" * 200_000 + ";",
    "braces": "void f() {" + "{" * 200_000 + "}" * 200_000 + "}",
    "minus": "int y; int x = " + "- " * 300_000 + "y;",
    "template": "template <int N> struct A { static const int v = A<N - 1>::v; };\n"
    "int x = A<1000000000>::v;",
    "itself": '#include "itself.cpp"\nint x;',
    "constexpr": "constexpr int f() { for (unsigned long i = 0;; ++i) {} }\nconstexpr int x = f();",
    "zero": '#include "/dev/zero"',
}


@POSIX
@pytest.mark.slow
def test_hostile_sources_cost_themselves_alone(tmp_path: Path) -> None:
    libclang = load_libclang()
    arguments = ("-x", "c++", "-std=c++17", "-w", "-resource-dir", str(libclang.resources))
    names = ["good.cpp"]
    for name, text in HOSTILE.items():
        (tmp_path / f"{name}.cpp").write_text(text, "ascii")
        names += [f"{name}.cpp", "good.cpp"]
    (tmp_path / "good.cpp").write_text("int x;", "ascii")
    tasks = [task_of(name, str(tmp_path), arguments) for name in names]
    limits = Limits(memory=1 << 30)
    found = list(run_units(tasks, jobs=1, limits=limits, read=read_plainly))
    assert {facts.outcome for facts in found[::2]} == {Outcome.PARSED}
    assert all(facts.outcome is not Outcome.PARSED for facts in found[1::2])
    # Brackets are counted by clang, which the usual stack of 8 MiB does not live to see.
    assert found[1].outcome is Outcome.PARTIAL


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("name", ["pipe", "macros"])
def test_source_that_never_ends_is_ended(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.h")
    bomb = "".join(f"#define A{i} " + f"A{i - 1} " * 10 + "\n" for i in range(1, 12))
    texts = {
        "pipe": '#include "fifo.h"',
        "macros": f"#define A0 1 +\n{bomb}int x = A11 1;",
    }
    (tmp_path / "bad.cpp").write_text(texts[name], "ascii")
    tasks = [task_of("bad.cpp", str(tmp_path), ("-x", "c++"))]
    (bad,) = run_units(tasks, jobs=1, limits=Limits(seconds=2), read=read_plainly)
    assert (bad.outcome, bad.reason) == (Outcome.FAILED, "it took longer than 2 s")
