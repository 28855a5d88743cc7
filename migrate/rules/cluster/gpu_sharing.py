"""MPS and MIG: one NVIDIA GPU shared by processes or cut into slices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind, Signal
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code

_MPS = "nvidia-cuda-mps-control"
_MIG = "nvidia-smi mig"
_SLICE = re.compile(r"nvidia\.com/mig|--gres[= ]\S*mig")
_CUT = "Slices of a GPU (MIG) have no counterpart; partitions of MI300 and later come nearest."


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.TOOL):
        if signal.value == _MIG:
            yield code.hit(signal, detail=_CUT)
        elif signal.value == _MPS:
            yield _shared(code, signal)
    for signal in code.signals(Kind.ENVIRONMENT):
        if signal.value.startswith("CUDA_MPS_"):
            yield _shared(code, signal)
    for signal in code.signals(Kind.CLUSTER_GPU, Kind.JOB_GPU):
        if _SLICE.search(signal.value):
            yield code.hit(signal, detail=_CUT)
        elif "mps" in signal.value:
            yield _shared(code, signal)


def _shared(code: Code, signal: Signal) -> Hit:
    """MPS: nothing has to take its place, only its limits are missed."""
    return code.hit(signal, severity=Severity.MINOR, verdict=Verdict.CHANGED)


RULE = Rule(
    id="HA-E094",
    slug="mps-or-mig",
    title="GPU shared by MPS or cut by MIG",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="ROCm has no MPS and no MIG. Processes share an AMD GPU without a service, their kernels "
    "run side by side through the hardware queues, but there are no shares or memory limits "
    "by process.",
    fix="Take the MPS service out. Where slices of a GPU are wanted, MI300 and later can be "
    "partitioned (compute modes such as CPX, memory modes such as NPS4, set with amd-smi by "
    "an administrator); each part is then a device of its own with its share of the memory.",
    evidence=(
        RuleEvidence(
            "AMD SMI: compute and memory partitions",
            "ROCm/amdsmi:README.md",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "Partitions in rocm-smi's options",
            "ROCm/rocm-systems:projects/rocm-smi-lib/python_smi_tools/rocm_smi.py",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nnvidia-cuda-mps-control -d\nmpirun -n 8 ./app\n",
        hip="#!/bin/bash\nmpirun -n 8 ./app\n",
        name="run.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.MISSING,
    check=_check,
    per_file=True,
)
