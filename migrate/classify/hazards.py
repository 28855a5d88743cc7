"""The places that rules found, gathered to one finding a rule and function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from migrate.classify.findings import DriverOf, Fingerprints, weakest_reader
from migrate.classify.uses import ClassifiedFile
from migrate.model.facts import condition_at
from migrate.model.finding import Finding, Site
from migrate.model.identity import finding_id
from migrate.model.rule import Driver, Hit, Rule, RuleHit, RuleRun
from migrate.model.target import Target
from migrate.model.verdict import Confidence, Severity, State, Verdict

_MOST_DETAILS = 3


@dataclass(frozen=True, slots=True)
class _Key:
    path: str
    rule: str
    symbol: str
    function: str
    state: State
    possible: bool


def rule_findings(
    files: Sequence[ClassifiedFile], run: RuleRun, target: Target, driver_of: DriverOf
) -> tuple[Finding, ...]:
    """One finding for each rule in one function of one file, with all its places.

    ``files`` have the raised verdicts. Places that are only ``possible`` are a finding of their
    own.
    """
    by_path = {file.facts.path: file for file in files}
    groups: dict[_Key, list[RuleHit]] = {}
    for found in run.hits:
        groups.setdefault(_key(found), []).append(found)
    maker = _Maker(by_path, target, driver_of, Fingerprints())
    return tuple(maker.finding(hits) for hits in groups.values())


def _key(found: RuleHit) -> _Key:
    rule, hit = found.rule, found.hit
    return _Key(
        path="" if rule.per_tree else found.path,
        rule=rule.id,
        symbol=hit.symbol if rule.by_symbol else "",
        function="" if rule.per_file or rule.per_tree else hit.function,
        state=hit.state,
        possible=hit.confidence is Confidence.POSSIBLE,
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    files: Mapping[str, ClassifiedFile]
    target: Target
    driver_of: DriverOf
    fingerprints: Fingerprints

    def finding(self, found: Sequence[RuleHit]) -> Finding:
        """The finding of hits of one rule that belong together."""
        found = sorted(found, key=lambda one: (one.path, one.hit.line, one.hit.column))
        rule, path = found[0].rule, found[0].path
        hits = [one.hit for one in found]
        symbol = _symbol(hits)
        function = "" if rule.per_file or rule.per_tree else hits[0].function
        return Finding(
            id=finding_id(rule.id, symbol if rule.by_symbol else "", function),
            rule=rule.id,
            tier=rule.tier,
            verdict=self._verdict(rule, path, hits),
            severity=max((hit.severity or rule.severity for hit in hits), key=_SEVERITIES.index),
            confidence=min(
                (hit.confidence or rule.confidence for hit in hits), key=_CONFIDENCES.index
            ),
            state=hits[0].state,
            archs=self._archs(hits),
            symbol=symbol,
            hip=self._hip(path, hits),
            function=function,
            message=_message(rule, hits),
            fix=next((hit.fix for hit in hits if hit.fix), rule.fix),
            driver=self._driver(rule, path, hits),
            kind=rule.kind.value if rule.driver is Driver.HAZARD_KIND else "",
            hours=(0.0, 0.0, 0.0),
            seen_by=weakest_reader(hit.seen_by for hit in hits),
            sites=tuple(self._site(rule, one.path, one.hit) for one in found),
        )

    def _verdict(self, rule: Rule, path: str, hits: Sequence[Hit]) -> Verdict:
        """The worst of the places, that of the name there included."""
        if rule.is_opportunity:
            return Verdict.SAME
        answers = self.files[path].answers
        said = [hit.verdict or rule.verdict for hit in hits]
        said += [answers[hit.row].verdict for hit in hits if hit.row >= 0]
        return max(said, key=lambda verdict: verdict.rank)

    def _archs(self, hits: Sequence[Hit]) -> tuple[str, ...]:
        named = {gfx for hit in hits for gfx in hit.archs or self.target.archs}
        return tuple(gfx for gfx in self.target.archs if gfx in named)

    def _hip(self, path: str, hits: Sequence[Hit]) -> str:
        answers = self.files[path].answers
        names = {answers[hit.row].hip if hit.row >= 0 else "" for hit in hits}
        return names.pop() if len(names) == 1 else ""

    def _driver(self, rule: Rule, path: str, hits: Sequence[Hit]) -> str:
        if rule.driver is not Driver.OF_NAME:
            return rule.driver.value
        file = self.files[path]
        return next(
            (
                self.driver_of(file.answers[hit.row], file.function(hit.row).side)
                for hit in hits
                if hit.row >= 0
            ),
            "",
        )

    def _site(self, rule: Rule, path: str, hit: Hit) -> Site:
        return Site(
            path=path,
            line=hit.line,
            end_line=hit.end_line,
            column=hit.column,
            fingerprint=self.fingerprints.of(rule.id, hit.symbol, hit.function, hit.line_hash),
            condition=condition_at(self.files[path].facts, hit.line),
        )


_SEVERITIES = tuple(Severity)
_CONFIDENCES = tuple(Confidence)


def _symbol(hits: Sequence[Hit]) -> str:
    """What most of the places name; of equals the first by place."""
    counts = Counter(hit.symbol for hit in hits)
    return max(counts, key=lambda symbol: counts[symbol])


def _message(rule: Rule, hits: Sequence[Hit]) -> str:
    details = list(dict.fromkeys(hit.detail for hit in hits if hit.detail))
    said = [f"{rule.title}.", rule.why, *details[:_MOST_DETAILS]]
    return " ".join(said)
