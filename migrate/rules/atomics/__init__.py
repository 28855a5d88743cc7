"""Atomic functions."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.atomics import (
    block_scope,
    double_by_loop,
    half_types,
    on_managed,
    own_definition,
    spin_lock,
    system_scope,
)

RULES: tuple[Rule, ...] = (
    own_definition.RULE,
    half_types.RULE,
    system_scope.RULE,
    block_scope.RULE,
    double_by_loop.RULE,
    on_managed.RULE,
    spin_lock.RULE,
)
