"""An ``#if`` on a macro of the project's that ``__CUDA_ARCH__`` decides over."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.guards.choices import derived_hits
from migrate.rules.switches import ARCH


def _check(code: Code) -> Iterator[Hit]:
    yield from derived_hits(code, ARCH, None)


RULE = Rule(
    id="HA-I002",
    slug="arch-switch",
    title="Branch chosen by a macro that __CUDA_ARCH__ decides over",
    family=Family.GUARDS,
    tier=Tier.INTERFACE,
    why="The project defines the macro by __CUDA_ARCH__, which no compiler for AMD GPUs has: here "
    "a HIP build goes without what the macro stands for, or takes the way for old GPUs.",
    fix="Define the macro for HIP where the GPU has what it stands for, or write a branch for HIP.",
    evidence=(
        RuleEvidence(
            "HIP porting guide: identifying the architecture, compiler defines",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#if __CUDA_ARCH__ >= 800\n#define HAS_ASYNC_COPY\n#endif\n"
        "#ifdef HAS_ASYNC_COPY\nint stages = 4;\n#else\nint stages = 1;\n#endif\n",
        hip="#if defined(__HIP_DEVICE_COMPILE__) || __CUDA_ARCH__ >= 800\n#define HAS_ASYNC_COPY\n"
        "#endif\n#ifdef HAS_ASYNC_COPY\nint stages = 4;\n#else\nint stages = 1;\n#endif\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
