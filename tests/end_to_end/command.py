"""Starts the command as a user does, and reads what it says; small trees to start it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.pipeline import assess
from migrate.report.json_v1 import render_json
from migrate.settings import load_settings

CHECKOUT = Path(__file__).parents[2]
FIXTURES = CHECKOUT / "fixtures"
APPS = ("stencil", "torch_ext", "trainer")

Tree = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Done:
    """What a finished command left."""

    code: int
    out: str
    err: str

    @property
    def traceback(self) -> bool:
        return "Traceback" in self.err or "Traceback" in self.out


Call = Callable[..., Done]
"""The fixture ``call``: the command in this process, in the test's own folder."""


def run(*arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run ``hipassess`` with the interpreter of this test run, from a folder of the test's own.

    The compiler is not asked unless the arguments say so.
    """
    done = subprocess.run(
        [sys.executable, "-m", "migrate", *without_compiler(arguments)],
        cwd=cwd,
        env=environment(env),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
        timeout=120,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def without_compiler(arguments: Sequence[str | Path]) -> list[str]:
    """The arguments with ``--semantic off`` for a command that would ask the compiler.

    What a machine has of CUDA's headers must not decide a test.
    """
    words = [str(word) for word in arguments]
    asks = words[:1] in (["scan"], ["graph"]) and not {"--semantic", "-h", "--help"} & {*words}
    return [*words[:1], "--semantic", "off", *words[1:]] if asks else words


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment, with the checkout to import from and no colour forced."""
    base = {
        key: value for key, value in os.environ.items() if key not in {"FORCE_COLOR", "COLUMNS"}
    }
    return {**base, "PYTHONPATH": str(CHECKOUT), "PYTHONIOENCODING": "utf-8", **(extra or {})}


def make_tree(root: Path, files: Tree) -> Path:
    """Write a tree of files, by path with ``/``, and return its root."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def json_of(root: Path, **options: object) -> str:
    """The JSON text for a folder, made in this process."""
    return render_json(assess(load_settings([root], {"jobs": 1, "semantic": "off", **options})))


def result_of(root: Path, **options: object) -> dict[str, Any]:
    """The JSON document for a folder, made in this process."""
    document: dict[str, Any] = json.loads(json_of(root, **options))
    return document
