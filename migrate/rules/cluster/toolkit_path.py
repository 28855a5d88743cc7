"""Paths of the CUDA toolkit in variables of scripts and images."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    yield from map(code.hit, code.signals(Kind.TOOLKIT_PATH))


RULE = Rule(
    id="HA-E095",
    slug="cuda-toolkit-path",
    title="Variable with a path of the CUDA toolkit",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The path does not exist where ROCm is installed, and what looks for CUDA_HOME looks for "
    "nvcc under it.",
    fix="Set ROCM_PATH (and HIP_PATH, where a build asks for it) to /opt/rocm, its bin folder in "
    "PATH and its lib folder in LD_LIBRARY_PATH. Packages of ROCm register their libraries "
    "with the linker, so that the last is rarely needed.",
    evidence=(
        RuleEvidence(
            "Post-installation: linker and paths",
            "ROCm/rocm-install-on-linux:docs/install/post-install.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nexport LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH\n",
        hip="#!/bin/bash\nexport LD_LIBRARY_PATH=/opt/rocm/lib:$LD_LIBRARY_PATH\n",
        name="env.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    per_tree=True,
)
