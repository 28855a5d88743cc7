"""Where the facts of the rules on components stand; each component has its own in the catalogue."""

from __future__ import annotations

from migrate.model.rule import RuleEvidence
from migrate.model.target import RocmRelease

MATRIX = RuleEvidence(
    "ROCm: the components of a release",
    "ROCm/rocm-docs:docs/data/components-current.yaml",
    RocmRelease(10, 0),
)
CATALOGUE = RuleEvidence(
    "The evidence of each component stands in its row of mappings/components.csv",
    "https://rocm.docs.amd.com/en/latest/reference/api-libraries.html",
)
