"""What the rules cost: their share of a scan's CPU time, in one process and one run.

Their parts are finding marks while files are read, judging, and putting hits over the verdicts and
into findings. Each is timed where it happens inside a whole scan without the compiler's pass;
``--by-rule`` lists what each rule takes.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import migrate.assembly
import migrate.parse.reader
import migrate.pipeline
from migrate.model.identity import NAME_RULES
from migrate.model.rule import Hit, Rule
from migrate.rules.code import Code
from migrate.rules.registry import RULES
from migrate.settings import load_settings

SPENT: dict[str, float] = defaultdict(float)
BY_RULE: dict[str, float] = defaultdict(float)


def timed(part: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, with its CPU seconds added up under a name."""

    def measured(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever it takes
        start = time.process_time()
        try:
            return work(*arguments, **options)
        finally:
            SPENT[part] += time.process_time() - start

    return measured


def watch(module: Any, name: str, part: str) -> None:  # noqa: ANN401 - a module
    """Time a function where a module calls it."""
    setattr(module, name, timed(part, getattr(module, name)))


def timed_rule(rule: Rule) -> Rule:
    """The rule with its check timed by its id."""

    def measured(code: Code) -> list[Hit]:
        start = time.process_time()
        try:
            return list(rule.check(code))
        finally:
            BY_RULE[rule.id] += time.process_time() - start

    return replace(rule, check=measured)


def watch_rules() -> None:
    """Time every rule's check."""
    timed_rules = tuple(map(timed_rule, RULES))
    setattr(migrate.pipeline, "_rules", lambda _settings: timed_rules)  # noqa: B010


def main() -> None:
    """Measure the folders of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--by-rule", action="store_true")
    asked = options.parse_args()
    watch(migrate.parse.reader, "read_marks", "marks")
    watch(migrate.pipeline, "judge_code", "judging")
    watch(migrate.pipeline, "raise_verdicts", "raising")
    watch(migrate.assembly, "rule_findings", "findings")
    if asked.by_rule:
        watch_rules()
    for folder in asked.folders:
        SPENT.clear()
        BY_RULE.clear()
        start = time.process_time()
        result = migrate.pipeline.assess(
            load_settings([folder], {"jobs": 1, "semantic": "off"}),
        )
        total = time.process_time() - start
        rules = sum(SPENT.values())
        parts = ", ".join(f"{part} {seconds:.2f}" for part, seconds in SPENT.items())
        found = sum(finding.rule not in NAME_RULES for finding in result.findings)
        print(
            f"{folder.name}: {total:.2f} s, {found} findings; rules {rules / total:.1%} ({parts})"
        )
        for rule, seconds in sorted(BY_RULE.items(), key=lambda one: -one[1])[:15]:
            print(f"  {rule} {seconds:.3f} s")


if __name__ == "__main__":
    main()
