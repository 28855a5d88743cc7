"""What a worker process may take, and how a process is made fit to read hostile code."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection

try:
    import resource
except ImportError:  # pragma: no cover - Windows
    resource = None  # type: ignore[assignment]

_GIBIBYTE = 1 << 30
_STACK_BYTES = 256 << 20
"""Clang's default bracket depth (2048 in the series 22) overflows the 8 MiB that libclang gives its
own threads; a sum of 500,000 terms still fits here. Only what is used is taken from the machine."""
_OUTSIDE_SAY = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH",
    "CCC_OVERRIDE_OPTIONS", "CCC_ADD_ARGS", "COMPILER_PATH", "GCC_EXEC_PREFIX",
    "CLANG_CONFIG_FILE_SYSTEM_DIR", "CLANG_CONFIG_FILE_USER_DIR", "CL", "_CL_",
)  # fmt: skip
"""Variables by which clang would read other headers or flags than those that it is given."""


_MANY = 3
_HOPELESS = 10
"""Units that took too long: after so many the others get less time, and then none."""
STARTING = 30.0
"""Seconds that a process has at least to start in: a busy machine's are no unit's fault."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one unit may take, generous: a watchdog that ends a hang, never a budget.

    ``seconds`` is time on the clock. ``memory`` is a worker's address space in bytes, of which an
    idle one has about half a GiB mapped; Windows has no such limit, and macOS may not keep it.
    """

    seconds: float = 120.0
    memory: int = 4 * _GIBIBYTE

    def after(self, overtimes: int) -> Limits | None:
        """The limits of a unit after so many that took too long; None: it is not to be tried.

        Such a run is incomplete anyway. A tree full of units that hang must not take hours, one
        that has a few of them is to lose no others.
        """
        if overtimes >= _HOPELESS:
            return None
        return replace(self, seconds=self.seconds / 4) if overtimes >= _MANY else self

    @property
    def too_slow(self) -> str:
        """The reason for a unit that was ended for its time."""
        return f"it took longer than {self.seconds:g} s"

    @property
    def too_large(self) -> str:
        """The reason for a unit that was ended for its memory."""
        return f"it needed more than {self.memory / _GIBIBYTE:g} GiB"


def confine(limits: Limits, chatter: Connection) -> None:
    """Make this process a worker: limits set, the terminal out of reach, nothing inherited.

    What is written to the standard streams goes to ``chatter`` (errors) or nowhere. A session of
    its own takes the process from the terminal: an interrupt is the parent's to handle, and a
    source that includes ``/dev/tty`` reads no keys.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _redirect(chatter)
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()
    if resource is not None:
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_AS, limits.memory)
    for name in _OUTSIDE_SAY:
        os.environ.pop(name, None)
    # A crash that libclang recovers from leaves it in a state that nobody vouches for: the process
    # ends instead and is replaced. Its own threads are left out for their small stacks.
    os.environ["LIBCLANG_DISABLE_CRASH_RECOVERY"] = "1"
    os.environ["LIBCLANG_NOTHREADS"] = "1"
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _redirect(chatter: Connection) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    if os.name == "posix":
        os.dup2(chatter.fileno(), 2)


def _limit(kind: int, most: int) -> None:
    """Lower a limit of this process; one that is lower already stays."""
    soft, hard = resource.getrlimit(kind)
    known = [one for one in (soft, hard) if one != resource.RLIM_INFINITY]
    # macOS refuses some values for the address space: then there is no limit but the clock.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (min(most, *known) if known else most, hard))


def _end_with_parent() -> None:
    """A worker in an endless loop must not outlive a parent that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def with_deep_stack(work: Callable[[], None]) -> None:
    """Run something on a stack that deeply nested code does not overflow."""
    threading.stack_size(_STACK_BYTES)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
