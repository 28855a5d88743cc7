"""A Python set-up script that calls nvcc itself."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import HIPCC, TORCH
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if code.facts.language is Language.PYTHON:
        yield from hits(code, code.signals(Kind.NVCC))


RULE = Rule(
    id="HA-E022",
    slug="setup-script-nvcc",
    title="nvcc called by a set-up script",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="On a machine with ROCm there is no nvcc, and CUDA_HOME is not set: the script "
    "fails before anything is compiled, also where it only asks for the version.",
    fix="Ask first what is there (torch.version.hip where PyTorch is at hand), and call "
    "hipcc, or hipconfig --version, in the AMD build.",
    evidence=(
        TORCH,
        HIPCC,
    ),
    example=Example(
        cuda="import subprocess\n"
        "from setuptools import setup\n"
        "\n"
        "subprocess.run(['nvcc', '-c', 'heat.cu', '-o', 'heat.o'], check=True)\n"
        "setup(name='heat')\n",
        hip="import subprocess\n"
        "from setuptools import setup\n"
        "\n"
        "subprocess.run(['hipcc', '-c', 'heat.cu', '-o', 'heat.o'], check=True)\n"
        "setup(name='heat')\n",
        name="setup.py",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.CHANGED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
