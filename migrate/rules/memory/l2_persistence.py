"""Windows of memory that shall stay in the L2 cache."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.memory.sources import LIBHIPCXX
from migrate.rules.names import uses_like

_NAMES = frozenset(
    {
        *("cudaAccessPolicyWindow", "CUaccessPolicyWindow", "cudaCtxResetPersistingL2Cache"),
        *("cuCtxResetPersistingL2Cache", "cudaLimitPersistingL2CacheSize"),
        *("CU_LIMIT_PERSISTING_L2_CACHE_SIZE", "cudaLimitMaxL2FetchGranularity"),
        *("CU_LIMIT_MAX_L2_FETCH_GRANULARITY", "cudaStreamAttributeAccessPolicyWindow"),
        *("CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW", "cudaLaunchAttributeAccessPolicyWindow"),
        *("CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW", "cudaKernelNodeAttributeAccessPolicyWindow"),
        *("cudaDeviceProp::persistingL2CacheMaxSize", "cudaDeviceProp::accessPolicyMaxWindowSize"),
        *("cudaDevAttrMaxPersistingL2CacheSize", "cudaDevAttrMaxAccessPolicyWindowSize"),
        *("CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE", "cuda::annotated_ptr"),
        *("CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE", "cuda::access_property"),
        *("cuda::apply_access_property", "cuda::associate_access_property"),
        "cuda::discard_memory",
    }
)
_FAMILIES = (
    *("cudaAccessProperty", "CU_ACCESS_PROPERTY_", "cuda::access_property::"),
    *("cudaAccessPolicyWindow::", "CUaccessPolicyWindow::"),
)


def _check(code: Code) -> Iterator[Hit]:
    for use in uses_like(code, _NAMES, *_FAMILIES):
        yield code.hit(use)
    for mark in code.marks(MarkKind.MEMBER):
        if mark.symbol == "accessPolicyWindow":
            yield code.hit(mark)


RULE = Rule(
    id="HA-K095",
    slug="l2-persistence",
    title="Memory set aside in the L2 cache",
    family=Family.MEMORY,
    tier=Tier.INTERFACE,
    why="AMD GPUs let no program set a part of the L2 cache aside: the reset and the limits have "
    "no HIP name, and the window that HIP does declare may have zero bytes "
    "(accessPolicyMaxWindowSize) and changes nothing. Only speed was at stake.",
    fix="Leave the calls out on AMD GPUs, with the sizes that were derived from the limits.",
    severity=Severity.MINOR,
    evidence=(
        RuleEvidence(
            "CLR: accessPolicyMaxWindowSize is 0",
            "ROCm/clr:hipamd/src/hip_device.cpp",
            RocmRelease(6, 2),
        ),
        RuleEvidence(
            "HIPIFY: CUDA runtime API, L2 limits and reset without a HIP column",
            "ROCm/HIPIFY:docs/tables/CUDA_Runtime_API_functions_supported_by_HIP.md",
            RocmRelease(7, 2),
        ),
        LIBHIPCXX,
    ),
    example=Example(
        cuda="void f(size_t n) { cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, n); }",
        hip="void f(size_t) {}",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
