"""What the target offers beyond what the code uses; no work."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.opportunities import (
    blocking_copies,
    copies_in_loop,
    managed_hints,
    memset_in_loop,
    staged_copy,
    waits_in_loop,
)

RULES: tuple[Rule, ...] = (
    copies_in_loop.RULE,
    waits_in_loop.RULE,
    blocking_copies.RULE,
    managed_hints.RULE,
    memset_in_loop.RULE,
    staged_copy.RULE,
)
