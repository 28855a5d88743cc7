"""Conditions on the compiler, the CUDA version or the GPU."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.guards import arch, arch_switch, arch_value, capability, version, version_switch

RULES: tuple[Rule, ...] = (
    arch.RULE,
    arch_switch.RULE,
    version.RULE,
    version_switch.RULE,
    arch_value.RULE,
    capability.RULE,
)
