"""The CUDA version of PyTorch, which a build for ROCm does not have."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TORCH_HIP


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if signal.value == "torch.version.cuda":
            yield code.hit(signal)


RULE = Rule(
    id="HA-E053",
    slug="torch-version-cuda",
    title="torch.version.cuda taken apart",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="torch.version.cuda is None in PyTorch's builds for ROCm: code that parses or "
    "compares it raises, or takes the branch for an old CUDA.",
    fix="Ask torch.version.hip first, and decide by feature or by ROCm's version there.",
    evidence=(TORCH_HIP,),
    example=Example(
        cuda='import torch\n\nMAJOR = int(torch.version.cuda.split(".")[0])\n',
        hip="import torch\n"
        "\n"
        'MAJOR = 0 if torch.version.hip else int(torch.version.cuda.split(".")[0])\n',
        name="setup_gpu.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
