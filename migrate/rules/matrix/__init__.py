"""Kernels that program matrix cores."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.matrix import (
    cutlass,
    fragment_shape,
    fragment_type,
    half_subnormals,
    mma,
    mma_type,
    tcgen05,
    wgmma,
    wmma,
    wrapped,
)

RULES: tuple[Rule, ...] = (
    wmma.RULE,
    fragment_type.RULE,
    fragment_shape.RULE,
    mma.RULE,
    mma_type.RULE,
    wgmma.RULE,
    tcgen05.RULE,
    cutlass.RULE,
    wrapped.RULE,
    half_subnormals.RULE,
)
