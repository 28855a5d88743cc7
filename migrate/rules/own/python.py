"""Rules in a Python file of the user's: the file is run, so only the user may name it."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from migrate.model.rule import Rule


def run_rules_file(path: Path) -> tuple[list[Rule], list[str]]:
    """Run a file; the rules in its ``RULE`` or ``RULES``, and what is wrong with it."""
    name = f"hipassess_own_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        return [], [f"{path.name}: cannot be loaded"]
    module = importlib.util.module_from_spec(spec)
    try:
        with _known_as(name, module):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's file does wrong
        return [], [f"{path.name}: {type(error).__name__}: {error}"]
    rules = [*getattr(module, "RULES", ()), *([module.RULE] if hasattr(module, "RULE") else [])]
    if not rules:
        return [], [f"{path.name}: defines neither RULE nor RULES"]
    others = [one for one in rules if not isinstance(one, Rule)]
    if others:
        return [], [f"{path.name}: {type(others[0]).__name__} is no Rule of migrate.model.rule"]
    return rules, []


@contextmanager
def _known_as(name: str, module: ModuleType) -> Iterator[None]:
    """Let the module find itself while it runs (dataclasses do), and leave no bytecode behind."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.modules[name] = module
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
