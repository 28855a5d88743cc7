"""Documents that the rules on containers, jobs and scripts cite."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

ROCM_DOCKER = RuleEvidence(
    "Running ROCm containers: devices and images",
    "ROCm/rocm-install-on-linux:docs/how-to/docker.rst",
    RocmRelease(6, 2),
)
CONTAINER_TOOLKIT = RuleEvidence(
    "AMD container toolkit: runtime and CDI", "ROCm/container-toolkit:README.md", RocmRelease(6, 4)
)
DEVICE_PLUGIN = RuleEvidence(
    "AMD GPU device plugin for Kubernetes", "ROCm/k8s-device-plugin:README.md", RocmRelease(6, 2)
)
GPU_OPERATOR = RuleEvidence(
    "AMD GPU operator and what it brings", "ROCm/gpu-operator:README.md", RocmRelease(6, 4)
)
