"""NVIDIA's assembly, in the source or beside it."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.ptx import (
    builtin,
    bulk_copy,
    carry,
    cluster,
    copy,
    dropped,
    image_file,
    kernel_text,
    lanes,
    module_load,
    named_barrier,
    order,
    ptx_text,
    register,
    rewrite,
    small,
    unknown,
)

RULES: tuple[Rule, ...] = (
    small.RULE,
    register.RULE,
    builtin.RULE,
    carry.RULE,
    rewrite.RULE,
    order.RULE,
    copy.RULE,
    bulk_copy.RULE,
    cluster.RULE,
    named_barrier.RULE,
    unknown.RULE,
    dropped.RULE,
    image_file.RULE,
    module_load.RULE,
    ptx_text.RULE,
    kernel_text.RULE,
    lanes.RULE,
)
