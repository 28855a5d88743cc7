"""Loads and stores that say how long a cache shall keep what they touch."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code

_LOADS = ("__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu")
_STORES = ("__stcg", "__stcs", "__stwb", "__stwt")
_SEEN_BY_OTHERS = {
    "__ldcv": "__ldcv reads past the caches: where another block or the host writes the value, "
    "load it with __hip_atomic_load and the scope of the writer.",
    "__stwt": "__stwt writes through the L2 cache: where the host reads the value, store it with "
    "__hip_atomic_store and system scope.",
}


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses(*_LOADS, *_STORES):
        yield code.hit(use, detail=_SEEN_BY_OTHERS.get(use.symbol, ""))


RULE = Rule(
    id="HA-K096",
    slug="cache-hint",
    title="Load or store with a cache hint",
    family=Family.MEMORY,
    tier=Tier.KERNEL,
    why="HIP has __ldca, __ldcg and __ldcs for half types only, as plain loads, and no stores with "
    "a hint: on other types the code does not compile.",
    fix="Write a plain load or store; for data that is used once, __builtin_nontemporal_load and "
    "__builtin_nontemporal_store.",
    severity=Severity.MINOR,
    evidence=(
        RuleEvidence(
            "HIP headers: __ldcg and its kind for __half and __half2",
            "ROCm/clr:hipamd/include/hip/amd_detail/amd_hip_fp16.h",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void f(float* p) { __stcs(p, __ldcs(p + 1)); }",
        hip="__global__ void f(float* p) {\n"
        "  __builtin_nontemporal_store(__builtin_nontemporal_load(p + 1), p);\n"
        "}",
    ),
    driver=Driver.OF_NAME,
    check=_check,
)
