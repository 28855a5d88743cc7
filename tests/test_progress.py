"""Progress shows itself on a terminal, after a second, and leaves nothing behind."""

from __future__ import annotations

import io
import sys

import pytest

import migrate.progress
from migrate.progress import shown_progress

ERASED = "\x1b[2K"
"""What a terminal is told to clear a line."""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, *, seconds: float = 0.0) -> Terminal:
    """Make standard error a terminal; a bar waits that long."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(migrate.progress, "_QUIET_SECONDS", seconds)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def three_steps(*, quiet: bool = False) -> None:
    with shown_progress(quiet=quiet) as progress:
        for done in range(3):
            progress("reading", done, 2)


def test_a_long_run_shows_a_bar_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    three_steps()
    assert "reading" in terminal.getvalue()
    assert "100%" in terminal.getvalue()
    assert terminal.getvalue().endswith(ERASED)


def test_the_bar_goes_when_the_run_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)

    def fails() -> None:
        with shown_progress(quiet=False) as progress:
            progress("reading", 1, 2)
            raise RuntimeError("a stage broke")

    with pytest.raises(RuntimeError, match="a stage broke"):
        fails()
    assert terminal.getvalue().endswith(ERASED)


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch, seconds=60)
    three_steps()
    assert terminal.getvalue() == ""


def test_a_quiet_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    three_steps(quiet=True)
    assert terminal.getvalue() == ""


def test_a_file_as_standard_error_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    three_steps()
    assert stream.getvalue() == ""
