"""Code written for 32 lanes."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.wavefront import lane_arithmetic

RULES: tuple[Rule, ...] = (lane_arithmetic.RULE,)
