"""Lane masks and the builtins that take or give them."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.lanes import mask_32

RULES: tuple[Rule, ...] = (mask_32.RULE,)
