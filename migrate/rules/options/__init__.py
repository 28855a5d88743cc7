"""Options of nvcc, and what clang and hipcc make of them."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.options import (
    debugging,
    default_stream,
    device_files,
    device_linking,
    effort_and_size,
    fast_math,
    gpu,
    half_operators,
    language,
    passed_on,
    permissions,
    registers,
    rounding,
    runtime,
)

RULES: tuple[Rule, ...] = (
    gpu.RULE,
    fast_math.RULE,
    rounding.RULE,
    registers.RULE,
    device_linking.RULE,
    permissions.RULE,
    passed_on.RULE,
    debugging.RULE,
    default_stream.RULE,
    device_files.RULE,
    effort_and_size.RULE,
    language.RULE,
    runtime.RULE,
    half_operators.RULE,
)
