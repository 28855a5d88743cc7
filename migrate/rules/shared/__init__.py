"""Shared memory, launches and their limits."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.shared import (
    bank_padding,
    cooperative_grid,
    device_limit,
    grid_limit,
    kernel_pointer,
    launch_bounds,
    lds_limit,
    max_registers,
    opt_in,
)

RULES: tuple[Rule, ...] = (
    lds_limit.RULE,
    opt_in.RULE,
    kernel_pointer.RULE,
    launch_bounds.RULE,
    grid_limit.RULE,
    max_registers.RULE,
    bank_padding.RULE,
    cooperative_grid.RULE,
    device_limit.RULE,
)
