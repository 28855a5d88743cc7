"""No advice of ours names a setting that does nothing or fails, but where a rule warns of it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrate.knowledge.settings import folk_settings
from migrate.model.rule import Family, Rule
from migrate.rules.registry import RULES

ROOT = Path(__file__).parent.parent.parent
WARNS = {rule.id for rule in RULES if rule.family is Family.SETTINGS}
OUR_OWN = (
    ROOT / "mappings" / "settings.csv",
    ROOT / "migrate" / "rules" / "settings",
    *(ROOT / "docs" / "rules" / f"{rule}.md" for rule in sorted(WARNS)),
)
ALSO_WRONG = ("HIP_ERROR_ILLEGAL_INSTRUCTION", "rocprof --stats", "rocprofv2", "HIP_memcpy_peer")
DENIED = (*folk_settings(), *ALSO_WRONG)
TEXTS = sorted(
    path
    for pattern in (
        *("README.md", "docs/**/*.md", "mappings/**/*.csv", "mappings/*.md", "mappings/*.toml"),
        *("templates/**/*.*", "migrate/**/*.py"),
    )
    for path in ROOT.glob(pattern)
    if not any(path == own or own in path.parents for own in OUR_OWN)
)


def named_in(text: str) -> list[str]:
    return [name for name in DENIED if name in text]


def test_the_twelve_of_the_deny_list_are_in_the_table() -> None:
    kinds = [setting.kind for setting in folk_settings().values()]
    assert kinds.count("variable") == 7
    assert kinds.count("command") == 2
    assert kinds.count("option") >= 3


def test_no_text_that_we_ship_names_one() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in TEXTS
        if (names := named_in(path.read_text(encoding="utf-8", errors="replace")))
    }
    assert len(TEXTS) > 500
    assert found == {}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_rule_advises_one(rule: Rule) -> None:
    assert not [text for text in advice(rule) if named_in(text)]


def advice(rule: Rule) -> Iterator[str]:
    """What a rule says, and its code after; one that warns may name them before."""
    yield from (rule.title, rule.fix, rule.example.hip)
    if rule.id not in WARNS:
        yield from (rule.why, rule.example.cuda)


def test_what_is_said_instead_of_one_is_none_itself() -> None:
    with (ROOT / "mappings" / "settings.csv").open(encoding="utf-8", newline="") as lines:
        assert not [row["name"] for row in csv.DictReader(lines) if named_in(row["instead"])]
