"""Graph nodes that run their body on a condition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIPIFY_RUNTIME

_NAMES = re.compile(
    r"cudaGraphConditional\w+|cudaGraphSetConditional|cudaGraphCond(?:Assign|Type)\w+"
    r"|cudaGraphNodeTypeConditional|cudaConditionalNodeParams(?:::\w+)?"
    r"|cuGraphConditional\w+|CUgraphConditional\w+|CU_GRAPH_COND_\w+"
    r"|CU_GRAPH_NODE_TYPE_CONDITIONAL|CUDA_CONDITIONAL_NODE_PARAMS(?:::\w+)?"
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        if not code.verdict(use).mechanical:
            yield code.hit(use)


RULE = Rule(
    id="HA-I060",
    slug="graph-conditional-node",
    title="Conditional graph node",
    family=Family.FEATURES,
    tier=Tier.INTERFACE,
    why="HIP graphs have no conditional nodes: no if, while or switch runs inside a graph.",
    fix="Split the graph at the condition: the host reads it and launches one graph or the other, "
    "or the kernels of the body return at once where there is nothing to do.",
    evidence=(
        RuleEvidence(
            "Conditional nodes are asked for and not there",
            "https://github.com/ROCm/hip/issues/3905",
            RocmRelease(7, 2),
        ),
        HIPIFY_RUNTIME,
    ),
    example=Example(
        cuda="void f(cudaGraph_t g, cudaGraphConditionalHandle* h) "
        "{ cudaGraphConditionalHandleCreate(h, g, 1, cudaGraphCondAssignDefault); }",
        hip="",
    ),
    driver=Driver.OF_NAME,
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    check=_check,
)
