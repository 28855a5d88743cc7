"""Code written for 32 lanes."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.wavefront import (
    collectives,
    half_tiles,
    lane_arithmetic,
    lane_words,
    lockstep,
    one_warp_blocks,
    reduction,
    tiles,
    warp_arrays,
    warp_constant,
    warp_size_constant,
    wavefront_macro,
    whole_wavefront,
    width_guard,
)

RULES: tuple[Rule, ...] = (
    lane_arithmetic.RULE,
    warp_constant.RULE,
    reduction.RULE,
    whole_wavefront.RULE,
    width_guard.RULE,
    warp_size_constant.RULE,
    one_warp_blocks.RULE,
    tiles.RULE,
    half_tiles.RULE,
    warp_arrays.RULE,
    collectives.RULE,
    lockstep.RULE,
    lane_words.RULE,
    wavefront_macro.RULE,
)
