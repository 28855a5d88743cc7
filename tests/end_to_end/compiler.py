"""Scans that ask the compiler, with the few declarations of our own in place of CUDA's headers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from migrate.model.identity import RULE_USE
from tests.end_to_end.command import CHECKOUT, json_of

TOOLKIT = CHECKOUT / "tests" / "parse_clang" / "toolkit"

MIXED = {
    "src/main.cu": """#include <cuda_runtime.h>
#include "shared.h"
#include "../third_party/tiny/tiny.h"
#define GPU(name) cuda##name
#define DEFINE(name) void cuda##name(int) {}
DEFINE(ResetAll)
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
void start(int* p) {
  void (*kernel)(int*) = fill;
  kernel<<<1, 32>>>(p);
  GPU(Malloc)(&p, 4);
  cudaResetAll(3);
  release(p);
}
#ifdef WITH_EXTRAS
void extras() { cudaDeviceSynchronize(); }
#endif
""",
    "src/other.cu": """#include <cuda_runtime.h>
#include "shared.h"
#define GPU(name) cuda##name
void both(int* p) {
#ifdef USE_ROCM
  hipMemset(p, 0, 4);
  cudaGetLastError();
#else
  GPU(Memset)(p, 0, 4);
  cudaMemset(p, 0, 4);
#endif
  release(p);
}
""",
    "src/shared.h": "#pragma once\ninline void release(void* p) { cudaFree(p); }\n",
    "third_party/tiny/tiny.h": "#pragma once\ninline void tiny(void* p) { cudaFree(p); }\n",
}
"""A tree of which the compiler sees more than the syntax tree, less, and something else."""


class Place(NamedTuple):
    """One use in a result."""

    path: str
    line: int
    symbol: str
    state: str
    seen_by: str


def asked(root: Path, **options: object) -> str:
    """The JSON text of a scan that asks the compiler, nothing kept, made in this process."""
    return json_of(
        root,
        **{
            "semantic": "auto", "cuda_path": TOOLKIT, "no_cache": True, "all_uses": True, **options,
        },
    )  # fmt: skip


def answers(root: Path, **options: object) -> dict[str, Any]:
    """The JSON document of a scan that asks the compiler, nothing kept, made in this process."""
    document: dict[str, Any] = json.loads(asked(root, **options))
    return document


def places(document: dict[str, Any]) -> Iterator[Place]:
    """The uses of a result made with ``all_uses``; what rules only inform of stands beside them."""
    for finding in document["findings"]:
        if finding["severity"] == "info" and finding["rule"] != RULE_USE:
            continue
        for site in finding["sites"]:
            yield Place(
                site["path"], site["line"], finding["symbol"], finding["state"], finding["seen_by"]
            )
