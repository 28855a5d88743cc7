"""Dynamic parallelism: launches and calls of the runtime in device code."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import UseKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Side, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features.sources import HIP_LANGUAGE, HIPIFY_RUNTIME

_LAUNCH = "<<<>>>"
_OF_DEVICE = (
    "cudaLaunchDevice",
    "cudaLaunchDeviceV2",
    "cudaGetParameterBuffer",
    "cudaGetParameterBufferV2",
    "cudaStreamFireAndForget",
    "cudaStreamTailLaunch",
)
_OF_BOTH = (
    "cudaDeviceSynchronize",
    "cudaThreadSynchronize",
    "cudaStreamCreateWithFlags",
    "cudaStreamDestroy",
    "cudaStreamWaitEvent",
    "cudaEventCreateWithFlags",
    "cudaEventRecord",
    "cudaEventDestroy",
    "cudaMalloc",
    "cudaFree",
    "cudaMemcpyAsync",
    "cudaMemcpy2DAsync",
    "cudaMemcpy3DAsync",
    "cudaMemsetAsync",
    "cudaMemset2DAsync",
    "cudaMemset3DAsync",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaGetErrorString",
    "cudaGetErrorName",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaDeviceGetAttribute",
    "cudaDeviceGetLimit",
    "cudaFuncGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxPotentialBlockSize",
)
"""What CUDA's runtime for device code offers beside launches."""


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses(_LAUNCH):
        if use.kind is UseKind.DEVICE_LAUNCH:
            yield code.hit(use, symbol="device-side launch")
    for use in code.uses(*_OF_DEVICE):
        yield code.hit(use)
    for use in code.uses(*_OF_BOTH):
        if use.side is Side.DEVICE and use.kind is UseKind.CALL:
            yield code.hit(use)


RULE = Rule(
    id="HA-K180",
    slug="device-launch",
    title="Kernel launch or runtime call in device code",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="HIP has no runtime in device code: no kernel launches another one, and the functions of "
    "the runtime are host functions, so the compiler refuses the call.",
    fix="Launch from the host, level by level; or keep a queue of work in global memory that a "
    "persistent kernel takes from.",
    evidence=(HIP_LANGUAGE, HIPIFY_RUNTIME),
    example=Example(
        cuda="__global__ void child(int* a) { a[0] = 1; }\n"
        "__global__ void parent(int* a) { child<<<1, 32>>>(a); }",
        hip="__global__ void child(int* a) { a[0] = 1; }\n"
        "void parent(int* a) { child<<<1, 32>>>(a); }",
    ),
    driver=Driver.HAZARD_KIND,
    verdict=Verdict.MISSING,
    severity=Severity.BLOCKER,
    check=_check,
)
