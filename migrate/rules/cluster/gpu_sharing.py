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
_LIMIT = re.compile(r"CUDA_MPS_(?:ACTIVE_THREAD_PERCENTAGE|PINNED_DEVICE_MEM_LIMIT)")
_CUT = "MIG: the whole GPU is parted by one compute mode, in parts of one size, on MI300 and later."
_LIMITED = (
    "A percentage of threads becomes a mask of compute units (HSA_CU_MASK, ROC_GLOBAL_CU_MASK); "
    "there is no limit of memory by process."
)


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
    """MPS: nothing has to take its place but that of its limits."""
    if _LIMIT.fullmatch(signal.value):
        return code.hit(signal, detail=_LIMITED, severity=Severity.MINOR, verdict=Verdict.CHANGED)
    return code.hit(signal, severity=Severity.MINOR, verdict=Verdict.SAME)


RULE = Rule(
    id="HA-E094",
    slug="mps-or-mig",
    title="GPU shared by MPS or cut by MIG",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="ROCm has no MPS service and needs none: processes share an AMD GPU as it is, and are "
    "serialised only where the driver is told to isolate them. In place of MIG the GPUs from "
    "MI300 on have compute and memory partition modes; other GPUs cannot be parted.",
    fix="Take the MPS service out. Where slices of a GPU are wanted, an administrator sets a "
    "compute mode (SPX, DPX, QPX or CPX) and a memory mode (NPS1, NPS4) with amd-smi; each part "
    "is then a device of its own with its share of the memory, all of one size.",
    evidence=(
        RuleEvidence(
            "AMD SMI: compute and memory partitions",
            "ROCm/amdsmi:README.md",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "AMD SMI: partition modes, their GPUs and what each part gets",
            "https://rocm.docs.amd.com/projects/amdsmi/en/docs-10.2.0/conceptual/partition.html",
            RocmRelease(10, 2),
        ),
        RuleEvidence(
            "Linux: the amdgpu driver serialises processes only where isolation is turned on",
            "https://docs.kernel.org/gpu/amdgpu/process-isolation.html",
        ),
        RuleEvidence(
            "ROCm: masks of compute units by process",
            "https://rocm.docs.amd.com/en/docs-6.1.2/how-to/setting-cus.html",
            RocmRelease(6, 1),
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
    verdict=Verdict.REPLACED,
    check=_check,
    per_file=True,
)
