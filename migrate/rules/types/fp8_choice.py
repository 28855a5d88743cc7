"""PyTorch's OCP fp8 type chosen alone, for GPUs that compute the fnuz format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.types.sources import FP8


def _check(code: Code) -> Iterator[Hit]:
    if "cpu" in PurePosixPath(code.path).parent.parts:
        return  # kernels for the processor: no GPU's format
    for mark in code.marks(MarkKind.FP8_CHOICE):
        yield code.hit(mark)


RULE = Rule(
    id="HA-K140",
    slug="fp8-ocp-only",
    title="PyTorch's fp8 type e4m3fn without e4m3fnuz",
    family=Family.TYPES,
    tier=Tier.INTERFACE,
    why="This GPU computes fp8 in the fnuz format (another exponent bias, no negative zero, "
    "another maximum), which PyTorch calls float8_e4m3fnuz. Code that knows float8_e4m3fn alone "
    "rejects its tensors, or reads one format as the other: values are off by a factor of two.",
    fix="Take both types where code dispatches, and choose the type, its maximum and the scale by "
    "the GPU at run time: fnuz on gfx942, OCP on gfx950 and gfx12.",
    holds=Holds(traits=(Trait.FP8_FNUZ,)),
    evidence=(
        FP8,
        RuleEvidence(
            "vLLM dispatches over both types in its ROCm build",
            "ROCm/vllm:csrc/dispatch_utils.h",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#include <cuda_runtime.h>\nusing fp8_t = at::Float8_e4m3fn;",
        hip="#include <cuda_runtime.h>\nusing fp8_t = at::Float8_e4m3fnuz;",
    ),
    driver=Driver.SEMANTIC_SITE,
    per_file=True,
    check=_check,
)
