"""The memory model, asynchronous copies, coherence."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.memory import (
    async_copy,
    barrier_object,
    cache_hint,
    cluster,
    l2_persistence,
    managed,
    mapped,
    shared_buffer,
    tensor_map,
    waiting,
)

RULES: tuple[Rule, ...] = (
    managed.RULE,
    async_copy.RULE,
    barrier_object.RULE,
    tensor_map.RULE,
    cluster.RULE,
    l2_persistence.RULE,
    cache_hint.RULE,
    mapped.RULE,
    waiting.RULE,
    shared_buffer.RULE,
)
