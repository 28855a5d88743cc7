"""The CUDA toolkit and its libraries installed from packages, a run file or an action."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    fetched: set[int] = set()
    for signal in code.signals(Kind.INSTALLER):
        if signal.line not in fetched:
            fetched.add(signal.line)
            yield code.hit(signal)
    yield from map(code.hit, code.signals(Kind.SYSTEM_PACKAGE))


RULE = Rule(
    id="HA-E077",
    slug="cuda-packages",
    title="CUDA installed from packages or an installer",
    family=Family.CONTAINERS,
    tier=Tier.ECOSYSTEM,
    why="The commands install NVIDIA's toolkit, driver or libraries. ROCm has packages and a "
    "repository of its own.",
    fix="Start from an image of ROCm, or add AMD's repository and install rocm-hip-sdk (compilers "
    "and libraries) or rocm-hip-runtime; from 7.12 on the packages are called amdrocm-core-sdk and "
    "amdrocm. The driver belongs to the host, never into the image.",
    evidence=(
        RuleEvidence(
            "Native packages from 7.12 on", "ROCm/TheRock:RELEASES.md", RocmRelease(10, 0)
        ),
        RuleEvidence(
            "Meta-packages and what they install",
            "ROCm/rocm-install-on-linux:docs/reference/package-manager-integration.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="FROM ubuntu:22.04\nRUN apt-get install -y cuda-toolkit-12-4 libcudnn8-dev\n",
        hip="FROM ubuntu:22.04\nRUN apt-get install -y rocm-hip-sdk\n",
        name="Dockerfile",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    per_tree=True,
)
