"""Decisions by compute capability or by the name of an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import CAPABILITIES, MI300_CAPABILITY


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.CAPABILITY, Kind.GPU_NAME):
        # A text that names an architecture may be for people only, and a test may only skip.
        doubted = signal.value == "sm_" or code.facts.test
        yield code.hit(signal, confidence=Confidence.POSSIBLE if doubted else None)


RULE = Rule(
    id="HA-E054",
    slug="nvidia-capability-check",
    title="Code that decides by an NVIDIA GPU's generation",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="On AMD GPUs the capability is the gfx number: gfx90a says (9, 0), gfx942 (9, 4), "
    "gfx950 (9, 5), RDNA (10, x) and above. A check for Ampere or Hopper is met by all of "
    "them, and chooses kernels that they do not have; a name such as A100 never matches.",
    fix="Tell the platforms apart first (torch.version.hip), then ask gcnArchName of "
    "get_device_properties, or test for the feature.",
    evidence=(
        MI300_CAPABILITY,
        CAPABILITIES,
    ),
    example=Example(
        cuda="import torch\n\nUSE_FP8 = torch.cuda.get_device_capability() >= (8, 9)\n",
        hip="import torch\n"
        "\n"
        "USE_FP8 = not torch.version.hip and torch.cuda.get_device_capability() >= (8, 9)\n",
        name="kernels.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
