"""The macro that gives each thread a default stream of its own."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code

_MACROS = frozenset({"CUDA_API_PER_THREAD_DEFAULT_STREAM", "__CUDA_API_PER_THREAD_DEFAULT_STREAM"})


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.SWITCH_MACRO):
        if mark.symbol in _MACROS:
            yield code.hit(mark)


RULE = Rule(
    id="HA-I033",
    slug="per-thread-default-stream",
    title="Per-thread default stream chosen by a macro",
    family=Family.RUNTIME,
    tier=Tier.INTERFACE,
    why="HIP's headers do not know the macro: calls without a stream go to the one legacy default "
    "stream, which orders itself with all others.",
    fix="Compile with -fgpu-default-stream=per-thread, or name the stream in each call.",
    evidence=(
        RuleEvidence(
            "HIP programming manual: default stream per thread",
            "ROCm/HIP:docs/how-to/programming_manual.md",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n#include <cuda_runtime.h>\n"
        "void f() { cudaDeviceSynchronize(); }\n",
        hip="#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); }\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    confidence=Confidence.CERTAIN,
    check=_check,
)
