"""Kernel modules that let a network card reach NVIDIA's GPU memory."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code

_MODULES = ("nvidia_peermem", "nvidia-peermem", "nv_peer", "nv-peer", "gdrdrv", "nvidia-fs")


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.KERNEL_MODULE):
        if signal.value.startswith(_MODULES):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E112",
    slug="peer-memory-module",
    title="Kernel module for GPUDirect",
    family=Family.COMMUNICATION,
    tier=Tier.ECOSYSTEM,
    why="The module belongs to NVIDIA's driver. AMD's kernel driver registers GPU memory with the "
    "network stack itself, so that there is nothing to load.",
    fix="Drop the module. Check on the host that the amdgpu driver offers peer memory (with the "
    "vendor's network driver) or DMA-BUF, that large BAR is on and that PCIe access control "
    "does not redirect peer traffic; rccl-tests over two nodes shows it.",
    evidence=(
        RuleEvidence(
            "GPU-aware MPI on ROCm: RDMA by the kernel driver",
            "https://rocm.docs.amd.com/en/latest/how-to/gpu-enabled-mpi.html",
            RocmRelease(6, 1),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nmodprobe nvidia-peermem\n",
        hip="#!/bin/bash\nmodprobe ib_core\n",
        name="setup.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
