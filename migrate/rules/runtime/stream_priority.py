"""A stream's priority as a number that HIP does not tell from others."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code
from migrate.rules.literals import integer_of

_CALLS = ("cudaStreamCreateWithPriority", "cuStreamCreateWithPriority")
_ARGUMENTS = 3
_HIGHEST = -1


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls(*_CALLS):
        if len(call.arguments) == _ARGUMENTS:
            priority = integer_of(call.arguments[2])
            if priority is not None and priority < _HIGHEST:
                yield code.hit(call)


RULE = Rule(
    id="HA-I032",
    slug="stream-priority",
    title="Stream priority beyond HIP's highest",
    family=Family.RUNTIME,
    tier=Tier.INTERFACE,
    why="HIP has three priorities, from 1 (low) over 0 to -1 (high): every number below -1 is the "
    "same as -1, so that streams which CUDA ranks by them run side by side.",
    fix="Ask cudaDeviceGetStreamPriorityRange for the range and make do with three ranks.",
    evidence=(
        RuleEvidence(
            "HIP runtime: hipStreamCreateWithPriority",
            "ROCm/clr:hipamd/src/hip_stream.cpp",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="void f(cudaStream_t* s) { cudaStreamCreateWithPriority(s, 1, -5); }",
        hip="void f(cudaStream_t* s) { cudaStreamCreateWithPriority(s, 1, -1); }",
    ),
    driver=Driver.SEMANTIC_SITE,
    severity=Severity.MINOR,
    check=_check,
)
