"""An include of a CUDA header that no header of HIP stands for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from migrate.knowledge.headers import resolve_header
from migrate.model.resolution import Resolution
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code

_LIBRARIES = frozenset(
    {"runtime", "driver", "device", "wmma", "cooperative_groups", "samples", "cub"}
)
"""Of other libraries the names in the code tell what there is to do. libhipcxx is a package of its
own, which may be installed beside an older ROCm."""


def _check(code: Code) -> Iterator[Hit]:
    for include in code.facts.includes:
        answer = _answer(include.name, code.target)
        if answer is None or code.base.included(include.name, code.path):
            continue
        note = f" {answer.note}" if answer.note else ""
        yield code.hit_include(
            include, detail=f"<{include.name}>: {_what(answer)}.{note}", verdict=answer.verdict
        )


@lru_cache(maxsize=1 << 14)
def _answer(header: str, target: Target) -> Resolution | None:
    """What is told of a header that HIP has no header for; None for others."""
    answer = resolve_header(header, target)
    return answer if answer is not None and _is_absent(answer) else None


def _is_absent(answer: Resolution) -> bool:
    if answer.library not in _LIBRARIES or answer.verdict.mechanical:
        return False
    return answer.verdict is not Verdict.CHANGED or not answer.hip or answer.library == "wmma"


def _what(answer: Resolution) -> str:
    if answer.verdict is Verdict.LATER:
        since = f" from ROCm {answer.since}" if answer.since else ""
        return f"there is {answer.hip}{since}" if answer.hip else f"HIP has it{since}"
    return f"the nearest is {answer.hip}" if answer.hip else "HIP has nothing under that name"


RULE = Rule(
    id="HA-K165",
    slug="header-without-twin",
    title="CUDA header that HIP has no header for",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="Converters leave the include as it is, or take it out without a word, and the file does "
    "not compile, whether or not it uses anything of the header.",
    fix="Take the include out of HIP builds, and what is used of it with it.",
    evidence=(
        RuleEvidence(
            "HIP headers: the files that HIP installs",
            "ROCm/clr:hipamd/include/hip",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "FBGEMM includes mma.h in CUDA builds only",
            "pytorch/FBGEMM:fbgemm_gpu/experimental/gen_ai/src/kv_cache/kv_cache.cu",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="#include <mma.h>\n__global__ void f(int* a) { a[threadIdx.x] = 1; }",
        hip="#include <cuda_fp16.h>\n__global__ void f(int* a) { a[threadIdx.x] = 1; }",
    ),
    driver=Driver.NONE,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    per_file=True,
    of_includes=True,
    check=_check,
)
