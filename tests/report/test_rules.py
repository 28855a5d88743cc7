"""What is told of rules: every fact of a rule stands in its text, its JSON and its page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from migrate.catalogue import card_called, rule_cards
from migrate.model.catalogue import RuleCard
from migrate.model.rule import Driver, Example, Holds, RuleEvidence, Trait
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Verdict
from migrate.report.rules.explain import explain_rule_json, explain_rule_text
from migrate.report.rules.listing import catalogue_json, catalogue_markdown, catalogue_text
from migrate.report.rules.pages import rule_pages, stale_pages, write_pages
from migrate.report.rules.words import evidence_url, holds_in_short, holds_in_words

CARDS = rule_cards()
MASK = next(card for card in CARDS if card.rule.slug == "lane-mask-32")


def plain(text: str) -> str:
    return " ".join(text.replace("\\", "").split())


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.rule.id)
def test_a_rule_is_told_whole_in_text_and_on_its_page(card: RuleCard) -> None:
    rule = card.rule
    page = rule_pages(CARDS)[f"{rule.id}.md"]
    for told in (plain(explain_rule_text(card)), plain(page)):
        for said in (rule.id, rule.slug, rule.title, rule.why, rule.fix, rule.family.value):
            assert plain(said) in told
        for one in rule.evidence:
            assert plain(one.title) in told
            assert evidence_url(one) in told
    assert rule.example.cuda.strip() in page
    assert rule.example.hip.strip() in page


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.rule.id)
def test_every_source_of_a_rule_has_a_web_address(card: RuleCard) -> None:
    assert all(evidence_url(one).startswith("https://") for one in card.rule.evidence)


def test_a_rule_is_found_by_id_or_slug_in_any_case() -> None:
    for word in (MASK.rule.id, MASK.rule.id.lower(), "lane-mask-32", " Lane-Mask-32 "):
        assert card_called(word, CARDS) == MASK
    assert card_called("lane", CARDS) is None


def test_the_price_is_that_of_the_effort_model() -> None:
    assert MASK.price is not None
    assert (MASK.price.driver, MASK.price.per) == ("warp_site", "site")
    assert "Driver warp_site (Warp-width sites): 0.5 hours a site" in plain(explain_rule_text(MASK))


def test_a_rule_without_a_price_of_its_own_says_so() -> None:
    named = RuleCard(replace(MASK.rule, driver=Driver.OF_NAME), None)
    assert "costs without the rule" in plain(explain_rule_text(named))
    free = replace(MASK.rule, driver=Driver.NONE, severity=Severity.INFO, verdict=Verdict.SAME)
    text = plain(explain_rule_text(RuleCard(free, None)))
    assert "Effort None of its own." in text
    assert "An opportunity" in text


@pytest.mark.parametrize(
    ("holds", "short", "words"),
    [
        (Holds(), "everywhere", "On every ROCm release, on every GPU."),
        (Holds(since=RocmRelease(7, 0)), "from 7.0", "On ROCm from 7.0, on every GPU."),
        (
            Holds(since=RocmRelease(6, 2), until=RocmRelease(7, 0)),
            "from 6.2 and before 7.0",
            "On ROCm from 6.2 and before 7.0, on every GPU.",
        ),
        (
            Holds(until=RocmRelease(7, 1), traits=(Trait.FP8_FNUZ,)),
            "before 7.1; FP8 in the fnuz format",
            "On ROCm before 7.1, on a GPU of this kind: FP8 in the fnuz format (gfx942).",
        ),
    ],
)
def test_where_a_rule_holds_is_said_by_release_and_gpu(
    holds: Holds, short: str, words: str
) -> None:
    assert holds_in_short(holds) == short
    assert holds_in_words(holds) == words


def test_a_file_of_a_repository_becomes_a_link() -> None:
    one = RuleEvidence("headers", "ROCm/clr:hipamd/include/x.h")
    assert evidence_url(one) == "https://github.com/ROCm/clr/blob/HEAD/hipamd/include/x.h"
    assert evidence_url(RuleEvidence("a book", "page 3: below")) == ""


def test_the_catalogue_has_every_rule_in_each_format() -> None:
    listed = [card.rule.id for card in CARDS]
    assert [row["id"] for row in json.loads(catalogue_json(CARDS))] == listed
    for text in (catalogue_text(CARDS), catalogue_markdown(CARDS)):
        for card in CARDS:
            assert card.rule.id in text
    assert len(catalogue_markdown(CARDS).splitlines()) == len(CARDS) + 2


def test_the_json_of_a_rule_has_all_of_it() -> None:
    row = json.loads(explain_rule_json(MASK))
    assert row["kind"] == "rule"
    assert row["example"] == {"cuda": MASK.rule.example.cuda, "hip": MASK.rule.example.hip}
    assert row["price"]["hours"] == list(MASK.price.hours if MASK.price else ())
    assert row["holds"]["since"] == "6.2"
    assert "gfx942" in row["holds"]["archs"]


def test_text_of_a_rule_is_no_markup_on_its_page() -> None:
    odd = replace(MASK.rule, why="__x<T> and a|b [here].", example=Example("```\nx", ""))
    page = rule_pages([RuleCard(odd, None)])["HA-K030.md"]
    assert r"\_\_x\<T\> and a\|b \[here\]." in page
    assert "````cpp\n```\nx\n````" in page
    assert "## After" not in page


def test_pages_are_written_kept_and_removed_with_their_rules(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    assert {path.name for path in write_pages(folder, CARDS)} == set(rule_pages(CARDS))
    assert stale_pages(folder, CARDS) == []
    assert write_pages(folder, CARDS) == []
    (folder / "notes.md").write_text("mine")
    (folder / "HA-K030.md").write_text("old")
    rest = [card for card in CARDS if card.rule.id != "HA-K001"]
    assert stale_pages(folder, rest) == ["HA-K001.md", "HA-K030.md", "README.md"]
    write_pages(folder, rest)
    assert sorted(path.name for path in folder.iterdir()) == sorted({*rule_pages(rest), "notes.md"})
