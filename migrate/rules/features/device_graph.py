"""Graphs launched or changed by kernels."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Side, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features.sources import HIPIFY_RUNTIME

_ALWAYS = (
    "cudaGetCurrentGraphExec",
    "cudaStreamGraphTailLaunch",
    "cudaStreamGraphFireAndForget",
    "cudaStreamGraphFireAndForgetAsSibling",
    "cudaGraphInstantiateFlagDeviceLaunch",
    "CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH",
    "cudaGraphKernelNodeSetParam",
    "cudaGraphKernelNodeSetEnabled",
    "cudaGraphKernelNodeSetGridDim",
    "cudaGraphKernelNodeUpdatesApply",
    "cudaLaunchAttributeDeviceUpdatableKernelNode",
    "CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE",
)


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses("cudaGraphLaunch"):
        if use.side is Side.DEVICE:
            yield code.hit(use)
    for use in code.uses(*_ALWAYS):
        yield code.hit(use)


RULE = Rule(
    id="HA-K181",
    slug="device-graph-launch",
    title="Graph launched or changed by a kernel",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP launches graphs from the host alone. It takes the flag that asks for graphs to be "
    "launched by kernels, and no kernel can launch or change one.",
    fix="Launch the graph from the host, in a loop where a kernel decided about the next launch; "
    "let the host read that decision.",
    evidence=(
        RuleEvidence(
            "Graph launch from device code is asked for and not there",
            "https://github.com/ROCm/hip/issues/3160",
            RocmRelease(7, 2),
        ),
        HIPIFY_RUNTIME,
    ),
    example=Example(
        cuda="__global__ void again(cudaGraphExec_t g) "
        "{ cudaGraphLaunch(g, cudaStreamGraphTailLaunch); }",
        hip="void again(cudaGraphExec_t g, cudaStream_t s) { cudaGraphLaunch(g, s); }",
    ),
    driver=Driver.HAZARD_KIND,
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    check=_check,
)
