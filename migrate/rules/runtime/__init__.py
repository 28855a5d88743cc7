"""Calls that HIP has by name, and that mean something else with these arguments."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.runtime import (
    default_stream,
    gemm_compute_type,
    random_sequence,
    rtc_option,
    segment_size,
    stream_priority,
)

RULES: tuple[Rule, ...] = (
    segment_size.RULE,
    gemm_compute_type.RULE,
    stream_priority.RULE,
    default_stream.RULE,
    rtc_option.RULE,
    random_sequence.RULE,
)
