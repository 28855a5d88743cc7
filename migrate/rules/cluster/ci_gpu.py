"""A CI job on a machine with NVIDIA's GPUs, and none with AMD's."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    system = next(code.signals(Kind.CI), None)
    if system is not None and not any(True for _ in code.signals(Kind.CI_ROCM)):
        yield from map(code.hit, code.signals(Kind.CI_GPU))


RULE = Rule(
    id="HA-E096",
    slug="ci-gpu-runner",
    title="CI that runs on NVIDIA GPUs only",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The tests that need a GPU run on NVIDIA's alone, so that the port breaks unseen with the "
    "next change.",
    fix="Add a runner with an AMD GPU of the target's kind and a job on it, at first not "
    "required. Until there is one, compile for it in CI: an image of ROCm builds without a "
    "GPU, and --offload-arch names the target.",
    evidence=(
        RuleEvidence(
            "ROCm's images build without a GPU",
            "ROCm/rocm-install-on-linux:docs/how-to/docker.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="jobs:\n  test:\n    runs-on: [self-hosted, gpu]\n    steps: []\n",
        hip="",
        name=".github/workflows/gpu.yml",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
