"""What clang refuses and nvcc lets pass, and what headers bring or clash with."""

from __future__ import annotations

from migrate.model.rule import Rule

RULES: tuple[Rule, ...] = ()
