"""An ``#if`` on ``__CUDA_ARCH__`` of which a HIP build takes another branch."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.guards.choices import direct_hits
from migrate.rules.switches import ARCH


def _check(code: Code) -> Iterator[Hit]:
    yield from direct_hits(code, ARCH, None)


RULE = Rule(
    id="HA-I001",
    slug="arch-guard",
    title="Branch chosen by __CUDA_ARCH__",
    family=Family.GUARDS,
    tier=Tier.INTERFACE,
    why="No compiler for AMD GPUs defines __CUDA_ARCH__: an #if that compares it counts 0, and "
    "builds the code for the oldest GPU, for the host, or none, without a message.",
    fix="Give the conditional a branch for HIP (#if defined(__HIP_DEVICE_COMPILE__)) that takes "
    "what the GPU has, asked for by feature (__HIP_ARCH_HAS_...) or by target (__gfx942__). Do "
    "not rename the macro in a comparison: __HIP_DEVICE_COMPILE__ is 1.",
    evidence=(
        RuleEvidence(
            "HIP porting guide: identifying the architecture, compiler defines",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#if __CUDA_ARCH__ >= 800\nusing acc_t = float;\n"
        "#else\nusing acc_t = double;\n#endif\n",
        hip="#if defined(__HIP_DEVICE_COMPILE__) || __CUDA_ARCH__ >= 800\nusing acc_t = float;\n"
        "#else\nusing acc_t = double;\n#endif\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
