"""Device code that is linked from several units."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.features.sources import CLANG_HIP


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.EXTERN_DEVICE):
        yield code.hit(mark)


RULE = Rule(
    id="HA-K193",
    slug="extern-device",
    title="Device function or variable defined in another unit",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="Without relocatable device code the link fails; with it (-fgpu-rdc) all device code is "
    "compiled again as one program when it is linked, which is slow, and static libraries of "
    "it need flags of their own.",
    fix="Build with -fgpu-rdc as the CUDA build does with -rdc=true; or move the definition into a "
    "header and pass variables as arguments.",
    evidence=(CLANG_HIP,),
    example=Example(
        cuda="extern __device__ int counter;\n__global__ void k() { atomicAdd(&counter, 1); }",
        hip="__global__ void k(int* counter) { atomicAdd(counter, 1); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    per_file=True,
    check=_check,
)
