"""More shared memory than a workgroup may have on the target."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Holds, Rule, Trait
from migrate.model.verdict import Confidence, SeenBy, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.shared.limits import archs_below, dynamic_requests, static_sizes
from migrate.rules.shared.sources import GPU_SPECS, LAUNCH_CHECKS

_KIB = 1024


def _check(code: Code) -> Iterator[Hit]:
    for asked in dynamic_requests(code):
        if archs := archs_below(code, asked.size):
            yield code.hit(asked.place, archs=archs, detail=_detail(code, asked.size, archs))
    for name, (size, variable) in static_sizes(code).items():
        if archs := archs_below(code, size):
            yield code.hit_place(
                variable.line,
                1,
                variable.name,
                name,
                seen_by=SeenBy.TREE,
                archs=archs,
                detail=_detail(code, size, archs),
            )
    yield from _compiled(code)


def _compiled(code: Code) -> Iterator[Hit]:
    """Kernels whose static shared memory the compiler has counted."""
    for kernel in code.base.kernels_by_path.get(code.path, ()):
        size = kernel.traits.static_shared or 0
        if archs := archs_below(code, size):
            yield code.hit_place(
                kernel.line,
                1,
                kernel.name,
                kernel.name,
                confidence=Confidence.CERTAIN,
                archs=archs,
                detail=_detail(code, size, archs),
            )


def _detail(code: Code, size: int, archs: tuple[str, ...]) -> str:
    limits = {
        gfx: arch.lds_kib
        for gfx, arch in zip(code.target.archs, code.base.archs, strict=True)
        if gfx in archs
    }
    told = ", ".join(f"{gfx} has {kib} KiB" for gfx, kib in limits.items())
    return f"{size / _KIB:.4g} KiB are asked for; {told}."


RULE = Rule(
    id="HA-K120",
    slug="lds-limit",
    title="More shared memory than a workgroup may have",
    family=Family.SHARED,
    tier=Tier.KERNEL,
    why="A workgroup has at most 64 KiB of LDS on every AMD GPU before MI350 (160 KiB there, "
    "320 KiB on gfx1250), where A100 and H100 give 163 and 227 KiB. Static sizes above that do "
    "not compile; hipFuncSetAttribute and the launch return an error, and a program that does not "
    "check runs on without its kernel.",
    fix="Make the tile or the number of stages smaller by GPU, or keep a part of the tile in "
    "registers; ask hipDeviceProp_t::sharedMemPerBlock for the limit.",
    severity=Severity.BLOCKER,
    holds=Holds(traits=(Trait.LDS_BELOW_HOPPER,)),
    evidence=(GPU_SPECS, LAUNCH_CHECKS),
    example=Example(
        cuda="__global__ void k(int* p) { extern __shared__ int s[]; s[0] = *p; }\n"
        "void f(int* p) {\n"
        "  cudaFuncSetAttribute((const void*)k, cudaFuncAttributeMaxDynamicSharedMemorySize,\n"
        "                       96 * 1024);\n"
        "  k<<<1, 256, 96 * 1024>>>(p);\n"
        "}",
        hip="__global__ void k(int* p) { extern __shared__ int s[]; s[0] = *p; }\n"
        "void f(int* p) { k<<<1, 256, 64 * 1024>>>(p); }",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.LAUNCH_BOUNDS_OR_LDS,
    check=_check,
)
