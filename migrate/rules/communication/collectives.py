"""The collectives and messages of NCCL that a file uses: RCCL has them by the same names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code

_CALL = re.compile(
    r"nccl(?:AllReduce|AllGather|AlltoAll|Broadcast|Bcast|Reduce|ReduceScatter|Gather|Scatter|Send|Recv)"
)


def _check(code: Code) -> Iterator[Hit]:
    for symbol in code.symbols:
        if _CALL.fullmatch(symbol):
            for use in code.uses(symbol):
                if code.verdict(use).mechanical:
                    yield code.hit(use)


RULE = Rule(
    id="HA-E113",
    slug="nccl-collectives",
    title="Collectives that RCCL has by the same names",
    family=Family.COMMUNICATION,
    tier=Tier.ECOSYSTEM,
    why="RCCL is the NCCL of ROCm: same names, same header after renaming its include, same "
    "variables for the most part. It replaces NCCL one to one, over xGMI in a node and RDMA "
    "between nodes.",
    fix="Link rccl and include rccl/rccl.h; keep the calls. Check the size of a group against the "
    "node (eight GPUs, or sixteen devices with MI250), and measure with rccl-tests what was "
    "tuned for NVLink.",
    evidence=(
        RuleEvidence(
            "RCCL follows NCCL's interface",
            "ROCm/rocm-systems:projects/rccl/CHANGELOG.md",
            RocmRelease(10, 1),
        ),
    ),
    example=Example(
        cuda="void sum(float* x, size_t n, ncclComm_t c, cudaStream_t s) {\n"
        "  ncclAllReduce(x, x, n, ncclFloat, ncclSum, c, s);\n}\n",
        hip="",
        name="code.cu",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
