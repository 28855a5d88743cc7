"""Profilers, markers and monitors asked for as packages or linked."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.components.met import hits_of
from migrate.rules.components.sources import CATALOGUE, MATRIX


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, "profiler")


RULE = Rule(
    id="HA-E162",
    slug="component-profiler",
    title="Component for profiling, marking or monitoring",
    family=Family.COMPONENTS,
    tier=Tier.ECOSYSTEM,
    why="Measuring and watching NVIDIA GPUs leaves marks in the build and the code: ranges, "
    "counters, collectors, questions to the driver.",
    fix="Take ROCTX for ranges, ROCprofiler-SDK for counters and AMD SMI for the state of the "
    "GPUs, or make the tooling optional: nothing the program computes depends on it.",
    evidence=(MATRIX, CATALOGUE),
    example=Example(
        cuda="import pynvml\n",
        hip="import amdsmi\n",
        name="monitor.py",
    ),
    driver=Driver.PROFILER,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_file=True,
)
