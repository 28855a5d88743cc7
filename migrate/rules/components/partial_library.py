"""Libraries and packages that ROCm has in part, or under another API."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.components.met import hits_of
from migrate.rules.components.sources import CATALOGUE, MATRIX


def _check(code: Code) -> Iterator[Hit]:
    yield from hits_of(code, "partial")


RULE = Rule(
    id="HA-E161",
    slug="component-with-another-api",
    title="Component whose counterpart has another API or less",
    family=Family.COMPONENTS,
    tier=Tier.ECOSYSTEM,
    why="ROCm has something for this component, but not all of it or not under the same names.",
    fix="Decide for each: port the calls to what ROCm has, replace the component by a "
    "portable one, or drop what is missing. List what is used of it first.",
    evidence=(MATRIX, CATALOGUE),
    example=Example(
        cuda="import pycuda.driver\n",
        hip="from hip import hip\n",
        name="solve.py",
    ),
    driver=Driver.PARTIAL_LIBRARY,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    by_symbol=True,
    per_file=True,
)
