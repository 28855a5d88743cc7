"""Packages that exist for ROCm under another name or build."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.components.met import hits_of
from migrate.rules.components.sources import CATALOGUE, MATRIX


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, "drop_in")


RULE = Rule(
    id="HA-E163",
    slug="component-under-another-name",
    title="Component whose drop-in has another package name",
    family=Family.COMPONENTS,
    tier=Tier.ECOSYSTEM,
    why="ROCm has a drop-in for this component, but what is asked for here is NVIDIA's "
    "package or build.",
    fix="Ask for ROCm's package instead and keep the code; where both platforms stay, choose "
    "it by a requirement file or extra of its own.",
    evidence=(MATRIX, CATALOGUE),
    example=Example(
        cuda="cupy>=13\n",
        hip="",
        name="requirements.txt",
    ),
    driver=Driver.DROP_IN_LIBRARY,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_file=True,
)
