"""Plain device memory that other processes open, in a project whose kernels wait for flags."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.memory.sources import COHERENCE
from migrate.rules.variables import address_of, variable_of

_EXPORTS = frozenset({"cudaIpcGetMemHandle", "cuIpcGetMemHandle", "cudaIpcMemHandle_t"})
_ALLOCATORS = ("cudaMalloc", "cuMemAlloc")


def _check(code: Code) -> Iterator[Hit]:
    if _EXPORTS.isdisjoint(code.symbols) or not _has_waiting_kernels(code):
        return
    allocations = [call for call in code.calls(*_ALLOCATORS) if call.arguments]
    exported = {
        variable_of(call.arguments[1])
        for call in code.calls("cudaIpcGetMemHandle", "cuIpcGetMemHandle")
        if len(call.arguments) > 1
    }
    named = [call for call in allocations if address_of(call.arguments[0]) in exported]
    for call in named or allocations:
        yield code.hit(call)


def _has_waiting_kernels(code: Code) -> bool:
    """Whether a kernel in this file, or in one that it includes, waits for a flag."""
    paths = (code.path, *(include.name for include in code.facts.includes))
    return any(path.rpartition("/")[2] in code.base.waiting_files for path in paths)


RULE = Rule(
    id="HA-K099",
    slug="polled-buffer",
    title="Buffer that other GPUs poll, allocated as plain device memory",
    family=Family.MEMORY,
    tier=Tier.INTERFACE,
    why="This file gives device memory to other processes, and kernels in it or in what it "
    "includes wait for flags. hipMalloc gives coarse-grained memory, which is coherent between "
    "GPUs only at the end of a kernel: what a peer wrote may not be seen while the kernel runs.",
    fix="Allocate flags and the buffers that are read meanwhile by hipExtMallocWithFlags with "
    "hipDeviceMallocUncached or hipDeviceMallocFinegrained.",
    evidence=(
        COHERENCE,
        RuleEvidence(
            "vLLM: the buffer of its all-reduce, allocated uncached on ROCm",
            "vllm-project/vllm:csrc/custom_all_reduce.cu",
        ),
    ),
    example=Example(
        cuda="__global__ void k(volatile int* flag) { while (*flag == 0); }\n"
        "void f(int** flag, cudaIpcMemHandle_t* handle) {\n"
        "  cudaMalloc(flag, sizeof(int));\n"
        "  cudaIpcGetMemHandle(handle, *flag);\n"
        "}",
        hip="__global__ void k(volatile int* flag) { while (*flag == 0); }\n"
        "void f(int** flag, cudaIpcMemHandle_t* handle) {\n"
        "  hipExtMallocWithFlags((void**)flag, sizeof(int), hipDeviceMallocUncached);\n"
        "  cudaIpcGetMemHandle(handle, *flag);\n"
        "}",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
