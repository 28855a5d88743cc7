"""NVIDIA's profilers called in scripts, builds and jobs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code

_INSTEAD = {
    "nsys": "rocprofv3 for traces, rocprof-sys for the whole system",
    "ncu": "rocprof-compute",
    "nv-nsight-cu-cli": "rocprof-compute",
    "nvprof": "rocprofv3",
    "nvvp": "rocprofv3 with --output-format pftrace, shown in Perfetto",
}


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.TOOL):
        if signal.value in _INSTEAD:
            yield code.hit(signal, detail=f"{signal.value}: {_INSTEAD[signal.value]}.")


RULE = Rule(
    id="HA-E093",
    slug="nvidia-profiler-command",
    title="NVIDIA's profiler called in a script",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The tool does not run on AMD GPUs, its reports have no reader, and its metrics have "
    "other names and meanings.",
    fix="Write the measurement anew with ROCm's tools: rocprofv3 (traces, counters), "
    "rocprof-compute (from 6.3; omniperf in 6.2) for one kernel, rocprof-sys (from 6.3; "
    "omnitrace in 6.2) for the system, rocgdb for debugging.",
    evidence=(
        RuleEvidence(
            "rocprofv3 in place of rocprof",
            "ROCm/rocm-systems:projects/rocprofiler-sdk/README.md",
            RocmRelease(6, 4),
        ),
        RuleEvidence(
            "Profilers by release",
            "ROCm/legacy-rocm-build:docs/compatibility/compatibility-matrix.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\nnsys profile -o run ./app\n",
        hip="#!/bin/bash\nrocprofv3 --sys-trace -d run -- ./app\n",
        name="profile.sh",
    ),
    driver=Driver.PROFILER,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_tree=True,
)
