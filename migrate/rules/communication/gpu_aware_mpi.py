"""MPI that is given GPU memory: by settings, by its build or by asking it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.settings import variable_row
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code

_QUERY = "mpi-ext.h"
_AWARE = re.compile(r"(?:CUDA|GPU|DEVICE)_?AWARE", re.IGNORECASE)
_AWARE_NAME = re.compile(r"\w*(?:CUDA|GPU|DEVICE)_?AWARE\w*", re.IGNORECASE)
_CRAY = "MPICH_GPU_SUPPORT_ENABLED"
_SAME = f"{_CRAY} stays as it is with Cray MPICH for AMD GPUs."


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.MPI_GPU):
        yield code.hit(signal, detail=_SAME if signal.value == _CRAY else "")
    for signal in code.signals(Kind.DEFINITION):
        if _AWARE.search(signal.value):
            yield code.hit(signal)
    for include in code.facts.includes:
        if include.name == _QUERY:
            yield code.hit_include(include, detail="The code asks MPI whether it knows CUDA.")
    for mark in code.marks(MarkKind.ENVIRONMENT):
        if mark.symbol == _CRAY or _is_mpi(mark.symbol):
            yield code.hit(mark, detail=_SAME if mark.symbol == _CRAY else "")
    for mark in code.marks(MarkKind.CONDITIONAL):
        if aware := _AWARE_NAME.search(mark.symbol):
            yield code.hit(mark, symbol=aware[0])


def _is_mpi(variable: str) -> bool:
    row = variable_row(variable)
    return row is not None and row.topic == "mpi"


RULE = Rule(
    id="HA-E110",
    slug="gpu-aware-mpi",
    title="MPI or UCX that takes GPU memory",
    family=Family.COMMUNICATION,
    tier=Tier.ECOSYSTEM,
    why="Device pointers in MPI or UCX calls need a library that was built for the GPU's vendor; "
    "one built for CUDA crashes or copies garbage. Its switches and transports have other names "
    "on ROCm.",
    fix="Build Open MPI on a UCX with --with-rocm (transports rocm_copy and rocm_ipc), or take "
    "the site's MPI for AMD GPUs (Cray MPICH with MPICH_GPU_SUPPORT_ENABLED=1 and its "
    "accelerator module, MVAPICH). Ask with MPIX_Query_rocm_support (Open MPI 5), and test "
    "with the OSU benchmarks between two device buffers before the application.",
    evidence=(
        RuleEvidence(
            "GPU-aware MPI on ROCm",
            "https://rocm.docs.amd.com/en/latest/how-to/gpu-enabled-mpi.html",
            RocmRelease(6, 1),
        ),
        RuleEvidence(
            "Open MPI: ROCm through UCX",
            "open-mpi/ompi:docs/tuning-apps/networking/rocm.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nmpirun --mca opal_cuda_support 1 -x UCX_TLS=rc,cuda_copy ./app\n",
        hip="#!/bin/bash\nmpirun -x UCX_TLS=rc,sm,rocm_copy,rocm_ipc ./app\n",
        name="run.sh",
    ),
    driver=Driver.COMMUNICATION,
    check=_check,
    per_file=True,
)
