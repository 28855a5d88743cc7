"""An ``#if`` on a macro of the project's that the CUDA version decides over."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.guards.choices import derived_hits
from migrate.rules.switches import ARCH, VERSION


def _check(code: Code) -> Iterator[Hit]:
    yield from derived_hits(code, VERSION, ARCH)


RULE = Rule(
    id="HA-I004",
    slug="version-switch",
    title="Branch chosen by a macro that the CUDA version decides over",
    family=Family.GUARDS,
    tier=Tier.INTERFACE,
    why="The project defines the macro by CUDA's version, which HIP does not have: here a HIP "
    "build goes without what the macro stands for.",
    fix="Define the macro for HIP where the ROCm releases that you support have what it stands "
    "for, or write a branch for HIP.",
    evidence=(
        RuleEvidence(
            "HIP porting guide: compiler defines, HIP_VERSION",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#if CUDART_VERSION >= 11070\n#define USE_CUB\n#endif\n"
        "#ifdef USE_CUB\nint sort();\n#endif\n",
        hip="#if defined(__HIPCC__) || CUDART_VERSION >= 11070\n#define USE_CUB\n#endif\n"
        "#ifdef USE_CUB\nint sort();\n#endif\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
