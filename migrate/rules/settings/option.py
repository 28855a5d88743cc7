"""Compiler options for AMD GPUs that are deprecated, dropped or already the default."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.settings.found import settings_found


def _check(code: Code) -> Iterator[Hit]:
    yield from settings_found(code, "option")


RULE = Rule(
    id="HA-E132",
    slug="folk-option",
    title="Compiler option that is deprecated or has no effect",
    family=Family.SETTINGS,
    tier=Tier.ECOSYSTEM,
    why="The option is deprecated, was dropped from what hipcc passes, or only says what is the "
    "default.",
    fix="Take it out, or write what the detail names; measure before an internal option of LLVM "
    "stays in a build.",
    evidence=(
        RuleEvidence(
            "Options of LLVM's AMDGPU target and their defaults",
            "llvm/llvm-project:llvm/lib/Target/AMDGPU/AMDGPUTargetMachine.cpp",
            RocmRelease(7, 0),
        ),
        RuleEvidence(
            "Compiler options in the porting guide",
            "ROCm/HIP:docs/how-to/hip_porting_guide.md",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda='set(HIP_FLAGS "--amdgpu-target=gfx90a -O3")\n',
        hip='set(HIP_FLAGS "--offload-arch=gfx90a -O3")\n',
        name="CMakeLists.txt",
    ),
    driver=Driver.NONE,
    severity=Severity.MINOR,
    in_hip_code=True,
    check=_check,
    per_file=True,
)
