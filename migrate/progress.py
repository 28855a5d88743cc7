"""Progress on standard error for a run of over a second; never in the way of the result."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_QUIET_SECONDS = 1.0

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, how much of it is done, and how much there is."""


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """Report progress to nobody."""


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Yield a function to report progress to; it draws a bar on a terminal, after a second.

    Nothing is drawn where standard error is no terminal, or with ``quiet``.
    """
    if quiet or not sys.stderr.isatty():
        yield no_progress
        return
    bar = _Bar()
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """A rich progress bar that appears only when the run turns out to be long."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._progress: object | None = None
        self._advance: Progress | None = None
        self._stop: Callable[[], None] | None = None

    def advance(self, stage: str, done: int, total: int) -> None:
        """Take note of how far a stage is."""
        if self._advance is None:
            if time.monotonic() - self._start < _QUIET_SECONDS:
                return
            self._open(stage, total)
        if self._advance is not None:
            self._advance(stage, done, total)

    def _open(self, stage: str, total: int) -> None:
        from rich.console import Console  # noqa: PLC0415 - only for a long run on a terminal
        from rich.progress import Progress  # noqa: PLC0415

        progress = Progress(console=Console(stderr=True), transient=True)
        task = progress.add_task(stage, total=total)
        progress.start()
        self._stop = progress.stop
        self._advance = lambda stage, done, total: progress.update(
            task, description=stage, completed=done, total=total
        )

    def close(self) -> None:
        """Remove the bar."""
        if self._stop is not None:
            self._stop()
