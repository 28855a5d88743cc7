"""Options of commands that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.settings.found import settings_found


def _check(code: Code) -> Iterator[Hit]:
    yield from settings_found(code, "command")


RULE = Rule(
    id="HA-E131",
    slug="folk-command",
    title="Option that rocm-smi does not have",
    family=Family.SETTINGS,
    tier=Tier.ECOSYSTEM,
    why="The command stops with an error for an option or word that it never had.",
    fix="Take what the detail names.",
    evidence=(
        RuleEvidence(
            "Options of rocm-smi",
            "ROCm/rocm-systems:projects/rocm-smi-lib/python_smi_tools/rocm_smi.py",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "AMD SMI in place of rocm-smi",
            "ROCm/rocm-systems:projects/rocm-smi-lib/README.md",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nrocm-smi --setmempolicy local\n",
        hip="#!/bin/bash\nnumactl --localalloc ./app\n",
        name="setup.sh",
    ),
    driver=Driver.NONE,
    severity=Severity.MINOR,
    in_hip_code=True,
    check=_check,
    per_file=True,
)
