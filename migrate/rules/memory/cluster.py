"""Clusters of thread blocks, and shared memory that another block reads."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.memory.sources import COOPERATIVE_GROUPS
from migrate.rules.names import uses_like

_NAMES = frozenset(
    {
        *("cooperative_groups::this_cluster", "cooperative_groups::cluster_group"),
        *("cooperative_groups::grid_group::cluster_rank", "__isClusterShared", "__isCtaShared"),
        *("cooperative_groups::grid_group::cluster_index", "__threadfence_cluster"),
        *("cooperative_groups::grid_group::num_clusters", "cudaDevAttrClusterLaunch"),
        *("cooperative_groups::grid_group::dim_clusters", "cuda::for_each_canceled_cluster"),
        *("cudaOccupancyMaxActiveClusters", "cudaOccupancyMaxPotentialClusterSize"),
        *("cuOccupancyMaxActiveClusters", "cuOccupancyMaxPotentialClusterSize"),
        *("cudaFuncAttributeNonPortableClusterSizeAllowed", "cudaFuncAttributeClusterDimMustBeSet"),
        *("cudaLaunchAttributePreferredClusterDimension", "cudaDeviceProp::clusterLaunch"),
        "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED",
    }
)
_FAMILIES = (
    *("cooperative_groups::cluster_group::", "__cluster", "cudaLaunchAttributeCluster"),
    *("CU_LAUNCH_ATTRIBUTE_CLUSTER_", "cudaClusterSchedulingPolicy", "cuda::ptx::mapa"),
    *("CU_CLUSTER_SCHEDULING_POLICY_", "cudaKernelNodeAttributeCluster"),
    *("CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_", "cuda::ptx::barrier_cluster_"),
    *("cudaLaunchAttributeValue::cluster", "CUlaunchAttributeValue::cluster"),
    "cudaFuncAttributeRequiredCluster",
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES, *_FAMILIES):
        yield code.hit(use)
    for mark in code.marks(MarkKind.MEMBER):
        if mark.symbol == "map_shared_rank":
            yield code.hit(mark)
    for mark in code.marks(MarkKind.QUALIFIER):
        if mark.symbol == "__cluster_dims__":
            yield code.hit(mark, symbol="__cluster_dims__")
        elif mark.symbol == "__launch_bounds__" and len(mark.values) > 2:  # noqa: PLR2004 - third
            detail = "The third launch bound is the largest cluster; HIP's macro takes two."
            yield code.hit(mark, symbol="__launch_bounds__", detail=detail)


RULE = Rule(
    id="HA-K094",
    slug="block-cluster",
    title="Thread block cluster or distributed shared memory",
    family=Family.MEMORY,
    tier=Tier.KERNEL,
    why="Blocks of a cluster run together and read each other's shared memory. No AMD GPU before "
    "gfx1250 runs clusters: HIP knows the launch attribute from 7.13 on and refuses more than one "
    "block there, and the shared memory of another workgroup cannot be addressed.",
    fix="Write a path without clusters: exchange through global memory, in two kernels or a "
    "cooperative launch, or give one larger block the work of the cluster.",
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    holds=Holds(traits=(Trait.NO_CLUSTERS,)),
    evidence=(
        RuleEvidence(
            "CLR: a launch with a cluster of more than one block where the device has none",
            "ROCm/rocm-systems:projects/clr/hipamd/src/hip_module.cpp",
            RocmRelease(10, 0),
        ),
        COOPERATIVE_GROUPS,
    ),
    example=Example(
        cuda="#include <cooperative_groups.h>\n"
        "namespace cg = cooperative_groups;\n"
        "__global__ void __cluster_dims__(2, 1, 1) f(int* out) {\n"
        "  __shared__ int s;\n"
        "  cg::cluster_group cluster = cg::this_cluster();\n"
        "  *cluster.map_shared_rank(&s, 1) = 1;\n"
        "}",
        hip="__global__ void f(int* exchange) { exchange[blockIdx.x ^ 1] = 1; }",
    ),
    driver=Driver.COOPERATIVE_GROUPS_SITE,
    check=_check,
)
