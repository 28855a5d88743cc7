"""Decisions by a GPU's compute capability while the program runs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code

_TOLD = "told"
_COPY = "copy"


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.CAPABILITY):
        if mark.values[0] == _COPY:
            yield code.hit(mark, confidence=Confidence.POSSIBLE)
        elif mark.values[0] != _TOLD:
            yield code.hit(mark)


RULE = Rule(
    id="HA-I006",
    slug="compute-capability",
    title="Decision by a compute capability",
    family=Family.GUARDS,
    tier=Tier.INTERFACE,
    why="HIP fills major and minor with the numbers of the gfx target (9 and 4 on gfx942, 11 and "
    "0 on gfx1100): a comparison made for compute capabilities compiles and takes a branch by "
    "chance.",
    fix="Ask for what the code needs (a field of the properties, gcnArchName, an attribute), with "
    "a branch of its own for HIP.",
    evidence=(
        RuleEvidence(
            "HIP runtime: how the properties of a device are filled",
            "ROCm/rocm-systems:projects/clr/hipamd/src/hip_device.cpp",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "HIP porting guide: device architecture properties",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="bool has_bf16(const cudaDeviceProp& prop) { return prop.major >= 8; }",
        hip="bool has_bf16(const hipDeviceProp_t& prop) { return prop.arch.hasDoubles; }",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
