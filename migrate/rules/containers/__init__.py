"""Container images, and how containers and clusters of them are given GPUs."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.containers import (
    apptainer_gpus,
    cluster_gpus,
    container_gpus,
    cuda_image,
    cuda_packages,
    framework_image,
    gpu_operator,
    nvidia_image,
)

RULES: tuple[Rule, ...] = (
    cuda_image.RULE,
    framework_image.RULE,
    nvidia_image.RULE,
    container_gpus.RULE,
    cluster_gpus.RULE,
    gpu_operator.RULE,
    apptainer_gpus.RULE,
    cuda_packages.RULE,
)
