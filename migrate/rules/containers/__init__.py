"""Container images, and how containers are given GPUs."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.containers import cuda_image

RULES: tuple[Rule, ...] = (cuda_image.RULE,)
