"""Words in memory that keep a bit for each of 32 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence, Trait
from migrate.model.verdict import Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    marks = list(code.marks(MarkKind.LANE_WORD))
    typed = any(mark.values[0] == "type" for mark in marks)
    votes = any(True for _ in code.uses("__ballot", "__ballot_sync")) or any(
        "ballot" in mark.symbol.lower() for mark in code.marks(MarkKind.WARP_CALL)
    )
    rounded = any(mark.values[0] == "rounded" for mark in marks)
    for mark in marks:
        if (mark.values[0] == "type" and (rounded or votes)) or (
            mark.values[0] == "rounded" and (typed or votes)
        ):
            yield code.hit(mark)


RULE = Rule(
    id="HA-K013",
    slug="word-of-32-lanes",
    title="Words with a bit for each of 32 lanes",
    family=Family.WAVEFRONT,
    tier=Tier.KERNEL,
    why="A ballot's bits are kept in memory in words of 32, and sizes are rounded to 32 for them; "
    "a "
    "ballot of this GPU has 64 bits, so that half of them is lost or the words are too few.",
    fix="Make the word 64 bits wide, round to 64, and allocate for that on the host too.",
    holds=Holds(traits=(Trait.WAVE64,)),
    evidence=(
        RuleEvidence(
            "Apex keeps 64-bit words on ROCm",
            "ROCm/apex:apex/contrib/csrc/groupbn/batch_norm_add_relu.h",
        ),
    ),
    example=Example(
        cuda="using bitmask_t = unsigned int;\n__device__ int words(int n) { return ((n + 31) & "
        "~31) * 2; }",
        hip="using bitmask_t = unsigned long long;\n__device__ int words(int n) { return ((n + "
        "63) & ~63) * 2; }",
    ),
    driver=Driver.WARP_SITE,
    check=_check,
)
