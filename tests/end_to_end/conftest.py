"""The command's own entry point called in this process, where a new one would only cost time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.cli import main
from tests.end_to_end.command import Done, without_compiler


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Runs ``hipassess`` with the given arguments in the test's folder."""
    monkeypatch.chdir(tmp_path)
    for variable in ("FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)

    def called(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["hipassess", *without_compiler(arguments)])
        capfd.readouterr()
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        out, err = capfd.readouterr()
        return Done(int(str(code or 0)), out, err)

    return called
