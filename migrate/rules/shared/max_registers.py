"""A kernel's registers limited by __maxnreg__."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.shared.sources import EXTENSIONS
from migrate.rules.warps import only_newer_cuda


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.QUALIFIER):
        if mark.symbol == "__maxnreg__" and not only_newer_cuda(code, mark.line):
            yield code.hit(mark)


RULE = Rule(
    id="HA-K125",
    slug="max-registers",
    title="Registers of a kernel limited by number",
    family=Family.SHARED,
    tier=Tier.KERNEL,
    why="HIP's headers do not define __maxnreg__, so the code does not compile; a number of "
    "registers that fits NVIDIA's register file would mean nothing on AMD's.",
    fix="Leave it out, or limit by occupancy: __launch_bounds__(threads, wavefronts), or "
    "__attribute__((amdgpu_waves_per_eu(n))).",
    verdict=Verdict.MISSING,
    severity=Severity.MINOR,
    evidence=(
        RuleEvidence(
            "HIP headers: __launch_bounds__ is the only attribute of a kernel that they define",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_runtime.h",
            RocmRelease(7, 2),
        ),
        EXTENSIONS,
    ),
    example=Example(
        cuda="__global__ void __maxnreg__(64) k(int* p) { *p = 1; }",
        hip="__global__ void __launch_bounds__(256) k(int* p) { *p = 1; }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.LAUNCH_BOUNDS_OR_LDS,
    check=_check,
)
