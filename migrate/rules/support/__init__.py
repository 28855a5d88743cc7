"""Operating systems and versions that the target supports."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.support import (
    operating_system,
)

RULES: tuple[Rule, ...] = (operating_system.RULE,)
