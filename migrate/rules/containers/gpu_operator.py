"""NVIDIA's operator, device plugin or metrics exporter in a cluster."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.images import image_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.containers.sources import DEVICE_PLUGIN, GPU_OPERATOR

OPERATORS = frozenset(("NVIDIA's GPU operator", "DCGM exporter"))
"""What the table of images calls the parts that bring GPUs into a cluster."""


def _check(code: Code) -> Iterator[Hit]:
    yield from map(code.hit, code.signals(Kind.OPERATOR))
    for signal in code.signals(Kind.IMAGE):
        row = image_row(signal.value)
        if row is not None and row.what in OPERATORS:
            yield code.hit(signal, detail=f"{row.what}: {row.rocm}. {row.note}".strip())


RULE = Rule(
    id="HA-E075",
    slug="nvidia-gpu-operator",
    title="NVIDIA's GPU operator, device plugin or exporter",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="These parts install NVIDIA's driver, offer its GPUs to the cluster and export its "
    "metrics; they do nothing on nodes with AMD GPUs.",
    fix="Install AMD's GPU operator: it brings the driver, the device plugin (amd.com/gpu), the "
    "node labeller and the metrics exporter. Dashboards and alerts on DCGM_FI metrics have to "
    "be written for the exporter's own names.",
    evidence=(
        GPU_OPERATOR,
        DEVICE_PLUGIN,
    ),
    example=Example(
        cuda="helm install gpu-operator nvidia/gpu-operator\n",
        hip="helm install amd-gpu-operator rocm/gpu-operator-charts\n",
        name="install.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    check=_check,
    per_file=True,
)
