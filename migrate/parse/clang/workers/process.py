"""A worker process as its parent sees it: started, given units, listened to, ended."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path

from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.limits import STARTING, Limits
from migrate.parse.clang.workers.worker import OUT_OF_MEMORY, serve
from migrate.parse.spawn import spawn_context

_KEPT_CHATTER = 4096
_SIGKILL = -9


class WorkerProcess:
    """A worker process as its parent sees it.

    ``limits`` are those of the next unit; that of memory is set as the process starts.
    """

    def __init__(self, read: Callable[[UnitTask], UnitResult], limits: Limits) -> None:
        context = spawn_context()
        self.connection, theirs = context.Pipe()
        self.heard, chatter = context.Pipe(duplex=False)
        self.limits = limits
        self._process = context.Process(
            target=serve, args=(theirs, chatter, read, limits), daemon=True
        )
        self._process.start()
        # Else the death of the process would not end the connections.
        theirs.close()
        chatter.close()
        self.ready = False
        self.deadline = time.monotonic() + max(limits.seconds, STARTING)
        self._chatter = b""

    def give(self, task: UnitTask) -> None:
        """Send a unit; what goes wrong with that shows when an answer is awaited."""
        self._chatter = b""
        self.deadline = time.monotonic() + self.limits.seconds
        try:
            self.connection.send(task)
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
        return int(pages) * mmap.PAGESIZE > self.limits.memory // 2

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
            return self.limits.too_large, True
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
