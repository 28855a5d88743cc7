"""Cooperative launches whose grid no occupancy query has chosen."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.shared.sources import LAUNCH_CHECKS

_LAUNCHES = ("cudaLaunchCooperativeKernel", "cuLaunchCooperativeKernel")
_QUERIES = (
    *("cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxPotentialBlockSize"),
    *("cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuOccupancyMaxPotentialBlockSize"),
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
)


def _check(code: Code) -> Iterator[Hit]:
    if any(True for _ in code.uses(*_QUERIES)):
        return
    for use in code.uses(*_LAUNCHES):
        yield code.hit(use)


RULE = Rule(
    id="HA-K127",
    slug="cooperative-grid",
    title="Cooperative launch of a grid that was not asked for",
    family=Family.SHARED,
    tier=Tier.KERNEL,
    why="All blocks of a cooperative launch must fit on the GPU at once, else it is refused "
    "(hipErrorCooperativeLaunchTooLarge). How many fit follows from the compute units, LDS and "
    "registers of the AMD GPU; a grid that was chosen for the multiprocessors of an NVIDIA GPU "
    "may be too large, or leave most of the GPU idle.",
    fix="Ask hipOccupancyMaxActiveBlocksPerMultiprocessor, times multiProcessorCount, and launch "
    "no more; check the error of the launch.",
    severity=Severity.MINOR,
    evidence=(
        LAUNCH_CHECKS,
        RuleEvidence(
            "HIP documentation: cooperative groups",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_runtime_api/cooperative_groups.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="void f(const void* k, void** args) {\n"
        "  cudaLaunchCooperativeKernel(k, dim3(108), dim3(256), args, 0, 0);\n"
        "}",
        hip="void f(const void* k, void** args, int units) {\n"
        "  int blocks;\n"
        "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);\n"
        "  cudaLaunchCooperativeKernel(k, dim3(blocks * units), dim3(256), args, 0, 0);\n"
        "}",
    ),
    driver=Driver.COOPERATIVE_GROUPS_SITE,
    check=_check,
)
