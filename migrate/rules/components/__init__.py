"""Libraries, frameworks and tools that a project asks for by name, by what ROCm has for them."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.components import drop_in, no_counterpart, partial_library, profiler

RULES: tuple[Rule, ...] = (
    no_counterpart.RULE,
    partial_library.RULE,
    profiler.RULE,
    drop_in.RULE,
)
