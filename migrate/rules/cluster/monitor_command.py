"""nvidia-smi and DCGM's command in scripts."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code

_INSTEAD = {"nvidia-smi": "amd-smi", "dcgmi": "rdci"}


def _check(code: Code) -> Iterator[Hit]:
    split = {signal.line for signal in code.signals(Kind.TOOL) if signal.value == "nvidia-smi mig"}
    for signal in code.signals(Kind.TOOL):
        if signal.value in _INSTEAD and signal.line not in split:
            yield code.hit(signal, detail=f"{signal.value}: {_INSTEAD[signal.value]}.")


RULE = Rule(
    id="HA-E092",
    slug="nvidia-smi",
    title="Call of nvidia-smi or dcgmi",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The command comes with NVIDIA's driver. Scripts that read its output, count GPUs with it "
    "or take it as the sign of a GPU go wrong, and often silently, where it is missing.",
    fix="Call amd-smi (list, static, metric, monitor; --json or --csv for scripts), or rdci of "
    "the ROCm Data Center tool for dcgmi. Queries have other fields, so parse anew rather "
    "than rename. rocm-smi gets only critical fixes from ROCm 7.0 on.",
    evidence=(
        RuleEvidence(
            "AMD SMI and its command line",
            "ROCm/amdsmi:README.md",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "ROCm SMI in maintenance mode",
            "ROCm/rocm-systems:projects/rocm-smi-lib/README.md",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nnvidia-smi -L\n",
        hip="#!/bin/bash\namd-smi list\n",
        name="check.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_tree=True,
)
