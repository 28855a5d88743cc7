"""Kernels that program matrix cores."""

from __future__ import annotations

from migrate.model.rule import Rule

RULES: tuple[Rule, ...] = ()
