"""A pod or service that asks its cluster for NVIDIA's GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.containers.sources import DEVICE_PLUGIN, GPU_OPERATOR


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.CLUSTER_GPU):
        if not signal.value.startswith("nvidia.com/mig"):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E074",
    slug="nvidia-cluster-resource",
    title="Cluster resource, label or runtime class of NVIDIA",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="A pod that asks for nvidia.com/gpu, its labels or its runtime class stays pending on "
    "nodes with AMD GPUs: AMD's device plugin offers amd.com/gpu, and no runtime class is "
    "needed.",
    fix="Ask for amd.com/gpu in limits and requests, take the runtime class out, and choose nodes "
    "by the labels of AMD's node labeller. In a chart make the resource's name a value, so "
    "that both kinds of cluster can be served.",
    evidence=(
        DEVICE_PLUGIN,
        GPU_OPERATOR,
    ),
    example=Example(
        cuda="resources:\n  limits:\n    nvidia.com/gpu: 1\n",
        hip="resources:\n  limits:\n    amd.com/gpu: 1\n",
        name="deploy/pod.yaml",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
