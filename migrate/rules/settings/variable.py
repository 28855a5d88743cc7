"""Variables of ROCm that are told about and that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.settings.found import settings_found


def _check(code: Code) -> Iterator[Hit]:
    yield from settings_found(code, "variable")


RULE = Rule(
    id="HA-E130",
    slug="folk-variable",
    title="Variable that no ROCm runtime reads",
    family=Family.SETTINGS,
    tier=Tier.ECOSYSTEM,
    why="No runtime or library of ROCm reads the variable: setting it does nothing, and what was "
    "seen after setting it has another cause.",
    fix="Take the setting out. What the detail names does the job, where anything does.",
    evidence=(
        RuleEvidence(
            "Flags that the runtimes read",
            "ROCm/rocm-systems:projects/rocr-runtime/runtime/hsa-runtime/core/util/flag.h",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "Runtime flags of HIP",
            "ROCm/clr:rocclr/utils/flags.hpp",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nexport HSA_SIG_HANDLER=1\n./app\n",
        hip="#!/bin/bash\nexport AMD_LOG_LEVEL=3\n./app\n",
        name="run.sh",
    ),
    driver=Driver.NONE,
    severity=Severity.MINOR,
    in_hip_code=True,
    check=_check,
    per_file=True,
)
