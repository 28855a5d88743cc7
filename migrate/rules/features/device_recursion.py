"""Device functions that call themselves."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.apis import load_tables
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.semantic import EdgeKind
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    seen = code.base.calls_between.get(code.path, ())
    own = {edge.line for edge in seen if edge.caller == edge.callee and edge.kind is EdgeKind.CALL}
    compiled = {edge.line for edge in seen}
    tables = load_tables()
    for mark in code.marks(MarkKind.RECURSION):
        if mark.symbol in tables.names or mark.symbol in tables.not_uses:
            # An overload of a mathematical function that calls the one for another type.
            continue
        if mark.line in own or mark.line not in compiled:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K192",
    slug="device-recursion",
    title="Recursion in device code",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="The compiler cannot tell how deep a recursion goes, so that the stack of each thread has "
    "a guessed size: calls that go deeper overwrite memory, and the stack lies in slow scratch "
    "memory that is set aside for the whole device.",
    fix="Write a loop with a stack of known depth; else set hipLimitStackSize from the greatest "
    "depth and test that depth.",
    evidence=(
        RuleEvidence(
            "hipLimitStackSize sets the stack that is guessed otherwise",
            "ROCm/clr:hipamd/src/hip_device_runtime.cpp",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "LLVM's AMDGPU backend: stack of functions whose call depth is not known",
            "https://llvm.org/docs/AMDGPUUsage.html",
            RocmRelease(7, 0),
        ),
    ),
    example=Example(
        cuda="__device__ int walk(int n, int d) { return d == 0 ? n : walk(n + d, d - 1); }",
        hip="__device__ int walk(int n, int d) { for (; d > 0; --d) n += d; return n; }",
    ),
    driver=Driver.HAZARD_KIND,
    check=_check,
)
