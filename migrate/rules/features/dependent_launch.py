"""Programmatic dependent launch: a kernel that starts before its predecessor has ended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.facts import condition_at
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIP_LAUNCHES, HIPIFY_RUNTIME

_NAMES = re.compile(
    r"cudaGridDependencySynchronize|cudaTriggerProgrammaticLaunchCompletion"
    r"|cudaLaunchAttributeProgrammatic\w+|CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_\w+"
    r"|(?:cuda|CU)\w*::programmatic\w+"
    r"|cudaGraphKernelNodePort(?:Programmatic|LaunchCompletion)"
    r"|CU_GRAPH_KERNEL_NODE_PORT_(?:PROGRAMMATIC|LAUNCH_ORDER)"
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES):
        # Where the tree leaves it out of HIP builds there is nothing to write.
        needless = code.base.switches.leaves_out(condition_at(code.facts, use.line))
        yield code.hit(use, confidence=Confidence.POSSIBLE if needless else None)


RULE = Rule(
    id="HA-K182",
    slug="programmatic-dependent-launch",
    title="Programmatic dependent launch",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP starts a kernel of a stream when the one before has ended: the device calls do not "
    "exist, and a launch with the attribute is refused.",
    fix="Leave the device calls and the attribute out and launch as usual: the stream's order "
    "gives the same result, without the overlap.",
    evidence=(HIPIFY_RUNTIME, HIP_LAUNCHES),
    example=Example(
        cuda="__global__ void k(float* a) { cudaGridDependencySynchronize(); a[0] = 0; }",
        hip="__global__ void k(float* a) { a[0] = 0; }",
    ),
    driver=Driver.HAZARD_KIND,
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    check=_check,
)
