"""A container that is given NVIDIA's GPUs when it starts."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.settings import variable_row
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.containers.sources import CONTAINER_TOOLKIT, ROCM_DOCKER

_APPTAINER = ("--nv", "--nvccli")
_TOOLS = frozenset(("nvidia-docker", "nvidia-ctk"))


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.GPU_REQUEST):
        if not signal.value.startswith(_APPTAINER):
            yield code.hit(signal)
    for signal in code.signals(Kind.TOOL):
        if signal.value in _TOOLS:
            yield code.hit(signal)
    for signal in code.signals(Kind.ENVIRONMENT):
        row = variable_row(signal.value)
        if row is not None and row.topic == "container":
            yield code.hit(signal, detail=f"{row.name}: {row.note}")


RULE = Rule(
    id="HA-E073",
    slug="nvidia-container-runtime",
    title="Container started with NVIDIA's runtime",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="The option or variable speaks to NVIDIA's container runtime. A container sees an AMD GPU "
    "by its device files.",
    fix="Pass --device=/dev/kfd --device=/dev/dri (in compose, devices), add the video and render "
    "groups for users that are not root, and choose single GPUs by their /dev/dri/renderD "
    "node. AMD's container toolkit has a runtime (--runtime=amd with AMD_VISIBLE_DEVICES) and "
    "CDI names (amd.com/gpu=all) for those who want them.",
    evidence=(
        ROCM_DOCKER,
        CONTAINER_TOOLKIT,
    ),
    example=Example(
        cuda="docker run --rm --gpus all app:latest\n",
        hip="docker run --rm --device=/dev/kfd --device=/dev/dri app:latest\n",
        name="run.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
