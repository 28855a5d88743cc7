"""Types and arithmetic that differ."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.types import (
    bfloat16_load,
    brace_assignment,
    directed_rounding,
    dot_product,
    fp8_choice,
    packed_simd,
)

RULES: tuple[Rule, ...] = (
    fp8_choice.RULE,
    brace_assignment.RULE,
    directed_rounding.RULE,
    packed_simd.RULE,
    dot_product.RULE,
    bfloat16_load.RULE,
)
