"""NVIDIA's assembly, in the source or beside it."""

from __future__ import annotations

from migrate.model.rule import Rule

RULES: tuple[Rule, ...] = ()
