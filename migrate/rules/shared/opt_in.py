"""Code that asks how much shared memory a block may opt in to, or opts in to it."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, Trait
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.shared.limits import archs_below, opt_in_calls
from migrate.rules.shared.sources import GPU_SPECS, LAUNCH_CHECKS

_QUERIES = (
    "cudaDevAttrMaxSharedMemoryPerBlockOptin",
    "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
)
_MEMBER = "sharedMemPerBlockOptin"


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses(*_QUERIES):
        yield code.hit(use)
    for mark in code.marks(MarkKind.MEMBER):
        if mark.symbol == _MEMBER:
            yield code.hit(mark)
    for call in opt_in_calls(code):
        sizes = code.values_of(call.arguments[2])
        if not archs_below(code, max(sizes, default=0)):
            yield code.hit(call, severity=Severity.MINOR)


RULE = Rule(
    id="HA-K121",
    slug="shared-memory-opt-in",
    title="Shared memory that a block opts in to",
    family=Family.SHARED,
    tier=Tier.INTERFACE,
    why="There is no opt-in on AMD GPUs: the attribute and the property give the plain limit of a "
    "workgroup (64 KiB of LDS, 160 KiB on gfx950), and tiles that were derived from 96 to 227 KiB "
    "get small, or their size is refused. hipFuncSetAttribute takes the kernel as const void* and "
    "returns an error for a size above the limit.",
    fix="Look at what the size is used for: choose the tile by the limit that is reported, cast "
    "the kernel to const void*, and check the error.",
    holds=Holds(traits=(Trait.LDS_BELOW_HOPPER,)),
    evidence=(LAUNCH_CHECKS, GPU_SPECS),
    example=Example(
        cuda="void f(int* limit, int device) {\n"
        "  cudaDeviceGetAttribute(limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);\n"
        "}",
        hip="void f(int* limit, int device) {\n"
        "  hipDeviceGetAttribute(limit, hipDeviceAttributeMaxSharedMemoryPerBlock, device);\n"
        "}",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
