"""Features that HIP lacks, has later or has otherwise."""

from __future__ import annotations

from migrate.model.rule import Rule

RULES: tuple[Rule, ...] = ()
