"""Runs the rules over the files of a tree for one target."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from migrate.knowledge.traits import has_trait
from migrate.model.facts import FileFacts
from migrate.model.rule import FailedRule, Hit, Rule, RuleHit, RuleRun
from migrate.model.target import Target
from migrate.model.verdict import Confidence, State, Tier, Verdict
from migrate.rules.base import CodeBase
from migrate.rules.code import Code


def run_rules(base: CodeBase, rules: Sequence[Rule], *, built: Collection[str] = ()) -> RuleRun:
    """Ask every rule that holds on the target for its places in every file.

    The rules of the ecosystem tier and those of includes are asked of every file, the others of
    code. A rule that raises costs its places in that file, and the run is incomplete.

    Args:
        base: the tree.
        rules: in the order in which they are to be told.
        built: paths of files that the project's HIP build compiles already. What seems to work
            there is only ``possible``; what HIP does not have at all cannot be in that build.
    """
    asked = [(rule, archs) for rule in rules if (archs := archs_of(rule, base.target))]
    around = [
        (rule, archs) for rule, archs in asked if rule.tier is Tier.ECOSYSTEM or rule.of_includes
    ]
    hits: list[RuleHit] = []
    failed: list[FailedRule] = []
    for facts in base.files:
        if not (_is_code(facts) or facts.signals or facts.includes):
            continue
        code = Code(base, facts)
        for rule, archs in asked if _is_code(facts) else around:
            try:
                found = list(rule.check(code))
                if found:
                    settled = _settled(rule, archs, found)
                    if facts.path in built:
                        settled = (_doubted(code, hit) for hit in settled)
                    hits.extend(RuleHit(rule, facts.path, hit) for hit in _unique(settled))
            except Exception as error:  # noqa: BLE001 - a rule's fault must cost its places alone
                failed.append(FailedRule(rule.id, facts.path, f"{type(error).__name__}: {error}"))
    return RuleRun(tuple(hits), tuple(failed))


def archs_of(rule: Rule, target: Target) -> tuple[str, ...]:
    """The target's GPUs on which a rule holds; none where its release does not have the hazard."""
    if not rule.holds.in_release(target.rocm):
        return ()
    return tuple(gfx for gfx in target.archs if has_trait(gfx, rule.holds.traits))


def _is_code(facts: FileFacts) -> bool:
    """Whether a file has something that the rules of code can judge."""
    return bool(
        len(facts.uses)
        or facts.marks
        or facts.functions
        or facts.launches
        or facts.asm_blocks
        or facts.shared
    )


def _unique(hits: Iterable[Hit]) -> list[Hit]:
    """A rule's hits in a file, each place once, in order of place."""
    unique: dict[tuple[int, int, str], Hit] = {}
    for hit in hits:
        unique.setdefault((hit.line, hit.column, hit.symbol), hit)
    return [unique[place] for place in sorted(unique)]


def _doubted(code: Code, hit: Hit) -> Hit:
    """A hit in a file that a HIP build compiles: only possible, if HIP can compile the place."""
    verdicts = [hit.verdict or Verdict.CHANGED]
    if hit.row >= 0:
        verdicts.append(code.base.verdict_of(code.path, hit.row))
    if hit.state is not State.ACTIVE or any(verdict.cuda_only for verdict in verdicts):
        return hit
    return replace(hit, confidence=Confidence.POSSIBLE)


def _settled(rule: Rule, archs: tuple[str, ...], hits: Iterable[Hit]) -> Iterator[Hit]:
    for hit in hits:
        if hit.state is State.HIP and not rule.in_hip_code:
            continue
        settled = replace(
            hit,
            verdict=hit.verdict or rule.verdict,
            severity=hit.severity or rule.severity,
            confidence=hit.confidence or rule.confidence,
            archs=tuple(gfx for gfx in archs if hit.archs is None or gfx in hit.archs),
        )
        if settled.archs:
            yield settled
