"""Cycle counters of device code on RDNA 3."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, Trait
from migrate.model.verdict import Severity, Side, Tier
from migrate.rules.code import Code
from migrate.rules.features.sources import HIP_LANGUAGE


def _check(code: Code) -> Iterator[Hit]:
    for use in code.uses("clock64"):
        if use.side is not Side.HOST:
            yield code.hit(use)
    for mark in code.marks(MarkKind.DEVICE_CALL):
        if mark.symbol == "clock":
            yield code.hit(mark)


RULE = Rule(
    id="HA-K194",
    slug="device-clock",
    title="clock or clock64 on a GPU where it does not count cycles",
    family=Family.FEATURES,
    tier=Tier.KERNEL,
    why="On RDNA 3 the two functions do not work as on other GPUs: differences of them are no "
    "time, and a loop that waits for a number of cycles waits for something else.",
    fix="Take wall_clock64, whose rate hipDeviceAttributeWallClockRate gives in kilohertz.",
    holds=Holds(traits=(Trait.RDNA3,)),
    evidence=(HIP_LANGUAGE,),
    example=Example(
        cuda="__global__ void k(long long* t) { t[0] = clock64(); }",
        hip="__global__ void k(long long* t) { t[0] = wall_clock64(); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    check=_check,
)
