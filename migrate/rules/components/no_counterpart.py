"""Libraries and frameworks that ROCm has nothing equal for."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.components.met import hits_of
from migrate.rules.components.sources import CATALOGUE, MATRIX


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, "none")


RULE = Rule(
    id="HA-E160",
    slug="component-without-counterpart",
    title="Component without a counterpart in ROCm",
    family=Family.COMPONENTS,
    tier=Tier.ECOSYSTEM,
    why="The project asks for a component for which ROCm has no drop-in and no port of the "
    "same API on this release.",
    fix="Decide for each: port (write what is used of it on ROCm's libraries), replace (take "
    "the named stand-in, with its own API), or drop the feature on AMD GPUs and make the "
    "component optional.",
    evidence=(MATRIX, CATALOGUE),
    example=Example(
        cuda="tensorrt==10.1\n",
        hip="",
        name="requirements.txt",
    ),
    driver=Driver.NO_COUNTERPART,
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_file=True,
)
