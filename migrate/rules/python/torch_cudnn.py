"""What PyTorch says of cuDNN, where ROCm has MIOpen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TORCH_ATTENTION, TORCH_CUDNN

_NAMES = re.compile(
    r"torch\.backends\.cudnn\.version|torch\.backends\.cuda\.(?:enable_cudnn_sdp|cudnn_sdp_enabled)"
    r"|torch\.nn\.attention\.SDPBackend\.CUDNN_ATTENTION"
)


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if _NAMES.fullmatch(signal.value):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E060",
    slug="torch-asks-cudnn",
    title="PyTorch asked for cuDNN itself",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="A build for ROCm has MIOpen behind torch.backends.cudnn: version() is MIOpen's "
    "number, and attention by cuDNN does not exist. The switches enabled, benchmark and "
    "deterministic work as they are; benchmark_limit does nothing.",
    fix="Decide by torch.version.hip; leave the choice of attention to PyTorch, which takes "
    "AOTriton's kernels on ROCm.",
    evidence=(TORCH_CUDNN, TORCH_ATTENTION),
    example=Example(
        cuda="import torch\n\nOLD = torch.backends.cudnn.version() < 8900\n",
        hip="",
        name="attention.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
