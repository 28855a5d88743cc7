"""Device limits that HIP names and refuses to set."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code

_CALLS = ("cudaDeviceSetLimit", "cudaDeviceGetLimit", "cuCtxSetLimit", "cuCtxGetLimit")
_REFUSED = frozenset(
    {
        *("cudaLimitPrintfFifoSize", "CU_LIMIT_PRINTF_FIFO_SIZE"),
        *("cudaLimitDevRuntimeSyncDepth", "CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH"),
        *("cudaLimitDevRuntimePendingLaunchCount", "CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT"),
    }
)


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls(*_CALLS):
        refused = _REFUSED.intersection(call.arguments)
        for limit in sorted(refused):
            yield code.hit(call, detail=f"{limit} is refused.")


RULE = Rule(
    id="HA-K128",
    slug="device-limit",
    title="Device limit that HIP refuses",
    family=Family.SHARED,
    tier=Tier.INTERFACE,
    why="hipDeviceSetLimit and hipDeviceGetLimit know the stack and the heap of malloc; for the "
    "buffer of printf and for launches from kernels they return hipErrorUnsupportedLimit, and a "
    "program that checks its errors stops there.",
    fix="Leave the call out on AMD GPUs: the buffer of printf needs no setting.",
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    evidence=(
        RuleEvidence(
            "CLR: hipDeviceSetLimit and hipDeviceGetLimit",
            "ROCm/rocm-systems:projects/clr/hipamd/src/hip_device_runtime.cpp",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "CLR of 2024: the same",
            "ROCm/clr:hipamd/src/hip_device_runtime.cpp",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="void f() { cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 24); }",
        hip="void f() { cudaDeviceSetLimit(cudaLimitStackSize, 1 << 12); }",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
