"""What rules found put over the tables' verdicts: a rule raises a verdict, and never lowers it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from migrate.classify.uses import ClassifiedFile
from migrate.model.resolution import Resolution
from migrate.model.rule import Driver, RuleHit, RuleRun
from migrate.model.verdict import Confidence, Verdict


def raise_verdicts(files: Sequence[ClassifiedFile], run: RuleRun) -> tuple[ClassifiedFile, ...]:
    """Raise the verdicts of the uses that rules explain.

    An opportunity changes nothing. What is only ``possible`` raises no verdict; where the name has
    to be looked at anyway, the rule still explains it.
    """
    by_path: dict[str, list[RuleHit]] = defaultdict(list)
    for found in run.hits:
        if found.hit.row >= 0 and not found.rule.is_opportunity:
            by_path[found.path].append(found)
    return tuple(
        _raised(file, by_path[file.facts.path]) if file.facts.path in by_path else file
        for file in files
    )


def _raised(file: ClassifiedFile, hits: Sequence[RuleHit]) -> ClassifiedFile:
    answers = list(file.answers)
    explained: set[int] = set()
    priced: set[int] = set()
    for found in hits:
        possible = found.hit.confidence is Confidence.POSSIBLE
        for row in (found.hit.row, *found.hit.also):
            if possible and file.answers[row].verdict.mechanical:
                continue
            explained.add(row)
            if found.rule.driver is not Driver.OF_NAME:
                priced.add(row)
            if not possible:
                answers[row] = _worse(answers[row], found.hit.verdict or found.rule.verdict)
    return replace(
        file, answers=tuple(answers), explained=frozenset(explained), priced=frozenset(priced)
    )


def _worse(answer: Resolution, verdict: Verdict) -> Resolution:
    return answer if answer.verdict.rank >= verdict.rank else replace(answer, verdict=verdict)
