"""Virtual functions and function pointers in device code."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.semantic import EdgeKind
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.features.sources import CLANG_HIP

_INDIRECT = {EdgeKind.VIRTUAL: "virtual call", EdgeKind.POINTER: "call through a pointer"}


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.DEVICE_VIRTUAL, MarkKind.DEVICE_POINTER):
        # What the host has too may be called there alone; the compiler knows of the calls.
        unsure = mark.values == ("both",)
        yield code.hit(mark, confidence=Confidence.POSSIBLE if unsure else None)
    for edge in code.base.calls_between.get(code.path, ()):
        if edge.kind in _INDIRECT and edge.caller in code.base.kernel_code:
            yield code.hit_place(
                edge.line,
                edge.column,
                _INDIRECT[edge.kind],
                code.base.kernel_code[edge.caller],
                confidence=Confidence.CERTAIN,
            )


RULE = Rule(
    id="HA-K191",
    slug="indirect-device-call",
    title="Virtual function or function pointer in device code",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="The call works where the object was made, or the pointer taken, on the same GPU by code "
    "of the same link; the compiler then plans registers and scratch for the worst callee, which "
    "costs speed, and across files it needs relocatable device code.",
    fix="Test it early. Where it is hot, choose the function by a template parameter or a switch.",
    evidence=(CLANG_HIP,),
    example=Example(
        cuda="struct Shape { __device__ virtual float area() const = 0; };",
        hip="template <class S> __device__ float area(const S& s) { return s.area(); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    check=_check,
)
