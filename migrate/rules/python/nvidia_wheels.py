"""NVIDIA's own libraries as Python packages."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import THEROCK


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.CUDA_PACKAGE):
        if signal.value.startswith("nvidia-"):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E051",
    slug="nvidia-library-wheels",
    title="NVIDIA's libraries asked for as wheels",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="These packages hold libraries for NVIDIA GPUs. PyTorch's and JAX's builds for ROCm "
    "do not use them, and no package of AMD's has their names.",
    fix="Leave them out for ROCm (another requirement file or extra): frameworks bring what "
    "they need, and own code links ROCm's libraries or takes the rocm packages.",
    evidence=(THEROCK,),
    example=Example(
        cuda="nvidia-cublas-cu12==12.4.5.8\n",
        hip="# none: comes with the ROCm build of the framework\n",
        name="requirements.txt",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
