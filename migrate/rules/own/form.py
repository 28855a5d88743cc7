"""The YAML form of rules: names, arguments and includes to look for, and what to say of them."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml

from migrate.model.rule import Driver, Example, Family, HazardKind, Holds, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.own import fields as read
from migrate.rules.own.fields import Fields
from migrate.rules.own.matching import Match

_MOST_RULES = 500
_VERDICTS = (Verdict.CHANGED, Verdict.REPLACED, Verdict.LATER, Verdict.MISSING)
_USUAL_DRIVER = {
    Tier.INTERFACE: Driver.SEMANTIC_SITE,
    Tier.KERNEL: Driver.HAZARD_KIND,
    Tier.ECOSYSTEM: Driver.NONE,
}


def read_form(text: str, source: str) -> tuple[list[Rule], list[str]]:
    """The rules of a YAML file, and what is wrong with it; ``source`` names it in both.

    Anchors are refused: a file of a few lines could stand for more than memory holds.
    """
    try:
        document = yaml.load(text, _Loader)  # noqa: S506 - a safe loader that takes still less
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f":{mark.line + 1}" if mark else ""
        return [], [f"{source}{where}: no valid YAML: {error.problem}"]
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        what = "nested too deep" if isinstance(error, RecursionError) else "characters or values"
        return [], [f"{source}: no valid YAML: {what}"]
    rows = document.get("rules") if isinstance(document, dict) else None
    if not isinstance(rows, list) or len(document) != 1 or not rows or len(rows) > _MOST_RULES:
        return [], [f"{source}: takes one key, rules, with a list of up to {_MOST_RULES}"]
    rules: list[Rule] = []
    problems: list[str] = []
    for number, row in enumerate(rows, 1):
        rule, wrong = _rule(row)
        name = row.get("id") if isinstance(row, dict) else None
        called = name if isinstance(name, str) else f"rule {number}"
        problems += [f"{source}: {called[:60]}: {one}" for one in wrong]
        rules += [rule] if rule else []
    return rules, problems


def _rule(row: object) -> tuple[Rule | None, list[str]]:
    found = Fields(row if isinstance(row, dict) else None)
    values = _said(found) | _judged(found)
    match = Match(
        found.take("names", read.patterns, ()),
        found.take("arguments", read.arguments, None),
        found.take("includes", read.patterns, ()),
    )
    found.finish()
    if found.values is not None:
        if not (match.names or match.includes):
            found.problems.append("names or includes are missing")
        if match.arguments and not match.names:
            found.problems.append("arguments need names")
    if found.problems:
        return None, found.problems
    return Rule(family=Family.OWN, check=match, **values), []


def _said(found: Fields) -> dict[str, Any]:
    """What a rule tells its readers."""
    title = found.take("title", read.text)
    return {
        "id": found.take("id", read.own_id),
        "slug": found.take("slug", read.slug, _slug_of(title)),
        "title": title,
        "why": found.take("why", read.text),
        "fix": found.take("fix", read.text),
        "example": found.take("example", read.example, Example("", "")),
        "evidence": found.take("evidence", read.evidence, ()),
    }


def _judged(found: Fields) -> dict[str, Any]:
    """How a rule's places count; an opportunity is no work, and changes no verdict."""
    tier = found.take("tier", read.one_of(Tier))
    severity = found.take("severity", read.one_of(Severity), Severity.MAJOR)
    offer = severity is Severity.INFO
    usual = Driver.NONE if offer else _USUAL_DRIVER.get(tier, Driver.NONE)
    verdict = Verdict.SAME if offer else Verdict.CHANGED
    return {
        "tier": tier,
        "severity": severity,
        "verdict": found.take("verdict", read.one_of(_VERDICTS), verdict),
        "confidence": found.take("confidence", read.one_of(Confidence), Confidence.LIKELY),
        "driver": found.take("driver", read.one_of(Driver), usual),
        "kind": found.take("kind", read.one_of(HazardKind), HazardKind.OTHER),
        "holds": found.take("holds", read.holds, Holds()),
    }


def _slug_of(title: object) -> str:
    words = re.findall(r"[a-z0-9]+", title.lower()) if isinstance(title, str) else []
    return "-".join(words)[:60].strip("-") or "own-rule"


class _Loader(yaml.SafeLoader):
    """Plain data only: no anchors, no key twice."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse what stands for another part of the file."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.MarkedYAMLError(
                problem="anchors are not read",
                problem_mark=self.get_event().start_mark,  # type: ignore[no-untyped-call]
            )
        return super().compose_node(parent, index)

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002 - PyYAML's own form
    ) -> dict[Hashable, Any]:
        """Refuse a key that is there twice: the first would be lost unseen."""
        seen: set[object] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"{key.value[:60]!r} is there twice", problem_mark=key.start_mark
                )
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else key)
        return super().construct_mapping(node, deep=deep)
