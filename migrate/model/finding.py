"""A problem that needs a person, with every place it stands at."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.verdict import Confidence, SeenBy, Severity, State, Tier, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One place of a finding; the fingerprint holds neither path nor line (contract).

    ``condition`` is what the preprocessor asks before it lets the line in, "" for nothing.
    """

    path: str
    line: int
    end_line: int
    column: int
    fingerprint: str
    condition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One problem in one function: a rule, or a name that does not map mechanically.

    ``hours`` is the finding's own share of its driver after damping: optimistic, most likely,
    pessimistic. ``uses`` counts its sites.
    """

    id: str
    rule: str
    tier: Tier
    verdict: Verdict
    severity: Severity
    confidence: Confidence
    state: State
    archs: tuple[str, ...]
    symbol: str
    hip: str
    function: str
    message: str
    fix: str
    driver: str
    hours: tuple[float, float, float]
    seen_by: SeenBy
    sites: tuple[Site, ...]
    kind: str = ""
    """What the driver ``hazard_kind`` counts it as (``model.rule.HazardKind``), "" for others."""
    priced_with: str = ""
    """The rule whose finding at the same lines has the hours of this one, "" for none."""

    @property
    def path(self) -> str:
        """The file of the first site."""
        return self.sites[0].path

    @property
    def line(self) -> int:
        """The line of the first site."""
        return self.sites[0].line
