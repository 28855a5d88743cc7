"""Settings that are told about and do nothing, or fail."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.settings import (
    command,
    option,
    variable,
)

RULES: tuple[Rule, ...] = (
    variable.RULE,
    command.RULE,
    option.RULE,
)
