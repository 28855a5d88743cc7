"""CUDA source code in a string literal, for the compiler at run time."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, HazardKind, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.sources import RTC


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.KERNEL_TEXT):
        yield code.hit(mark)


RULE = Rule(
    id="HA-K065",
    slug="kernel-in-string",
    title="Kernel source in a string",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="The kernel is compiled at run time (NVRTC). No converter looks into strings, nor does "
    "this scan judge what stands there: warp width, masks, PTX and headers in the text are "
    "hazards that no finding names. HIPRTC takes clang's options, and has no CUDA headers.",
    fix="Give the text to HIPRTC with options for the GPU (--offload-arch), and read it by hand "
    "for what a kernel in a file would be scanned for; or move the kernel into a file.",
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    evidence=(RTC,),
    example=Example(
        cuda="const char* source() {\n"
        '  return R"(extern "C" __global__ void k(float* a) { a[threadIdx.x] = 0; })";\n'
        "}",
        hip="",
    ),
    driver=Driver.HAZARD_KIND,
    kind=HazardKind.OTHER,
    check=_check,
)
