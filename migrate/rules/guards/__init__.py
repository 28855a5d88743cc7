"""Conditions on the compiler, the CUDA version or the GPU."""

from __future__ import annotations

from migrate.model.rule import Rule

RULES: tuple[Rule, ...] = ()
