"""NVIDIA's tools on GPU binaries called in scripts and builds."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code

_INSTEAD = {
    "cuobjdump": "llvm-objdump --offloading, or roc-obj before 7.0",
    "nvdisasm": "llvm-objdump -d --mcpu=gfx942",
    "nvprune": "nothing: build for fewer targets with --offload-arch",
    "fatbinary": "clang-offload-bundler",
    "ptxas": "nothing; -Rpass-analysis=kernel-resource-usage tells what a kernel takes",
}


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.TOOL):
        if signal.value in _INSTEAD:
            yield code.hit(signal, detail=f"{signal.value}: {_INSTEAD[signal.value]}.")


RULE = Rule(
    id="HA-E098",
    slug="nvidia-binary-tool",
    title="NVIDIA's tool on GPU binaries",
    family=Family.CLUSTER,
    tier=Tier.ECOSYSTEM,
    why="The tool reads or makes cubin files and PTX, and an AMD build has neither.",
    fix="Use LLVM's tools, which ROCm has in its llvm/bin folder, on code objects and fat "
    "binaries.",
    evidence=(
        RuleEvidence(
            "Offload bundles and code objects in LLVM",
            "llvm/llvm-project:clang/docs/ClangOffloadBundler.rst",
            RocmRelease(6, 2),
        ),
        RuleEvidence(
            "Kernel resource usage remarks",
            "llvm/llvm-project:llvm/docs/AMDGPUUsage.rst",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#!/bin/bash\ncuobjdump -sass app\n",
        hip="#!/bin/bash\nllvm-objdump --offloading app\n",
        name="dump.sh",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    check=_check,
    by_symbol=True,
    per_tree=True,
)
