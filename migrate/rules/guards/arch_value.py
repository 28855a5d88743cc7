"""``__CUDA_ARCH__`` as a number in code or in a macro's body."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import UseKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses("__CUDA_ARCH__"):
        if use.kind is not UseKind.DIRECTIVE:
            yield code.hit(use)


RULE = Rule(
    id="HA-I005",
    slug="arch-value",
    title="Number of __CUDA_ARCH__ used in code or a macro",
    family=Family.GUARDS,
    tier=Tier.INTERFACE,
    why="No compiler for AMD GPUs defines __CUDA_ARCH__: in code it is an unknown name and does "
    "not compile, in a condition made by a macro it counts 0.",
    fix="Ask for the feature or the target (__HIP_ARCH_HAS_..., __gfx942__) under HIP, or give "
    "the code a constant of its own.",
    evidence=(
        RuleEvidence(
            "HIP porting guide: identifying the architecture, compiler defines",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#define HAS_BF16 (__CUDA_ARCH__ >= 800)\n",
        hip="#ifdef __HIPCC__\n#define HAS_BF16 1\n#endif\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
