"""Evidence that several opportunities name."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

HIP_CHANGELOG_7_1 = RuleEvidence(
    "HIP's changelog: batch copies and copies between devices",
    "ROCm/rocm-systems:projects/clr/CHANGELOG.md",
    RocmRelease(7, 1),
)
HIP_PERFORMANCE = RuleEvidence(
    "HIP performance guidelines",
    "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/performance_guidelines.html",
    RocmRelease(7, 2),
)
HIP_ASYNCHRONOUS = RuleEvidence(
    "HIP's guide to asynchronous execution",
    "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_runtime_api/asynchronous.html",
    RocmRelease(7, 2),
)
HIP_UNIFIED_MEMORY = RuleEvidence(
    "HIP's guide to unified memory: prefetching and advice",
    "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_runtime_api/memory_management/unified_memory.html",
    RocmRelease(7, 2),
)
