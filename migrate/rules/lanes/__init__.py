"""Lane masks and the builtins that take or give them."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.lanes import (
    bitwise_reduce,
    find_first,
    mask_32,
    mask_results,
    match,
    partial_mask,
)

RULES: tuple[Rule, ...] = (
    mask_32.RULE,
    mask_results.RULE,
    find_first.RULE,
    partial_mask.RULE,
    bitwise_reduce.RULE,
    match.RULE,
)
