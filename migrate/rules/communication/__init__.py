"""Communication between GPUs and nodes, and its settings."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.communication import (
    collectives,
    gpu_aware_mpi,
    peer_memory,
    variables,
)

RULES: tuple[Rule, ...] = (
    gpu_aware_mpi.RULE,
    variables.RULE,
    peer_memory.RULE,
    collectives.RULE,
)
