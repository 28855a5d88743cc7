"""Variables of NCCL, NVSHMEM and MPI that mean nothing or something else on ROCm."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.settings import variable_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.environment import variables

_FOLDER = re.compile(r"_(?:HOME|PATH|DIR|ROOT|PREFIX|INCLUDE\w*|LIB\w*|VERSION)$")
_TOPICS = frozenset(("nccl", "nvshmem", "mpi"))


def _check(code: Code) -> Iterator[Hit]:
    for variable, place in variables(code):
        row = variable_row(variable)
        if row is None or row.topic not in _TOPICS or _FOLDER.search(variable):
            continue
        if row.verdict is Verdict.SAME:
            continue
        instead = f" {row.rocm}." if row.rocm not in {"", row.name} else ""
        said = f"{variable}:{instead} {row.note}".strip()
        yield code.hit(place, detail=said, verdict=row.verdict)


RULE = Rule(
    id="HA-E111",
    slug="communication-variable",
    title="Variable of NCCL, NVSHMEM or MPI without its effect",
    family=Family.COMMUNICATION,
    tier=Tier.ECOSYSTEM,
    why="RCCL reads NCCL's variables under their own names, and what was tuned or worked around "
    "with them carries over, but for those on NVLink and NVIDIA's links, which do nothing. "
    "NVSHMEM's and CUDA's MPI switches are not read at all.",
    fix="Drop what speaks of NVIDIA's links, give rocSHMEM and MPI their own variables, and "
    "measure again with rccl-tests what was tuned for another network.",
    evidence=(
        RuleEvidence(
            "RCCL environment variables",
            "ROCm/rocm-systems:projects/rccl/docs/api-reference/env-variables.rst",
            RocmRelease(10, 1),
        ),
        RuleEvidence(
            "RCCL's NVLS code is compiled for CUDA only",
            "ROCm/rccl:src/transport/nvls.cc",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "rocSHMEM environment variables",
            "https://rocm.docs.amd.com/projects/rocSHMEM/en/latest/api/env_variables.html",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nexport NCCL_NVLS_ENABLE=0\n",
        hip="#!/bin/bash\nexport NCCL_DEBUG=WARN\n",
        name="run.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    severity=Severity.MINOR,
    check=_check,
    by_symbol=True,
    per_tree=True,
)
