"""NVIDIA's debugger and memory checkers called in scripts, builds and jobs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code

_SANITIZER = "a build with -fsanitize=address for xnack+ targets, which finds no races"
_INSTEAD = {
    "cuda-gdb": "rocgdb",
    "cuda-gdbserver": "rocgdb on the machine itself",
    "cuda-memcheck": _SANITIZER,
    "compute-sanitizer": _SANITIZER,
}


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.TOOL):
        if signal.value in _INSTEAD:
            yield code.hit(signal, detail=f"{signal.value}: {_INSTEAD[signal.value]}.")


RULE = Rule(
    id="HA-E099",
    slug="nvidia-debugger-command",
    title="NVIDIA's debugger or memory checker called in a script",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The tool does not run on AMD GPUs, and nothing on ROCm finds races or wrong "
    "synchronisation as compute-sanitizer does.",
    fix="Debug with rocgdb. For memory errors build with -fsanitize=address for a target with "
    "xnack+ (Instinct); AMD_SERIALIZE_KERNEL=3 and AMD_LOG_LEVEL=3 find the kernel that faults. "
    "Keep the race check on NVIDIA while both builds exist.",
    evidence=(
        RuleEvidence(
            "Debugging with rocgdb, variables for it",
            "ROCm/HIP:docs/how-to/debugging.rst",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "Address sanitizer for GPU code",
            "ROCm/ROCm:docs/conceptual/compiler-topics.md",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\ncompute-sanitizer ./app\n",
        hip="#!/bin/bash\nAMD_SERIALIZE_KERNEL=3 ./app\n",
        name="check.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_tree=True,
)
