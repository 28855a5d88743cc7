"""Code written for 32 lanes."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.wavefront import (
    lane_arithmetic,
    lockstep,
    reduction,
    warp_arrays,
    warp_constant,
    whole_wavefront,
)

RULES: tuple[Rule, ...] = (
    lane_arithmetic.RULE,
    warp_constant.RULE,
    reduction.RULE,
    whole_wavefront.RULE,
    warp_arrays.RULE,
    lockstep.RULE,
)
