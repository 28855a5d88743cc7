"""What the target offers beyond what the code uses; no work."""

from __future__ import annotations

from migrate.model.rule import Rule

RULES: tuple[Rule, ...] = ()
