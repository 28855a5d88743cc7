"""All rules in a table: the ``catalogue`` command's answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from migrate.model.catalogue import RuleCard
from migrate.model.rule import Family
from migrate.report.numbers import plural
from migrate.report.rules.data import card_json
from migrate.report.rules.words import holds_in_short, markdown_text

Row = tuple[str, ...]


def catalogue_json(cards: Sequence[RuleCard]) -> str:
    """A list with all that is known of each rule."""
    return json.dumps([card_json(card) for card in cards], indent=2, ensure_ascii=False) + "\n"


def catalogue_text(cards: Sequence[RuleCard]) -> str:
    """A line a rule, by family."""
    rows = [(card.rule.id, card.rule.title, *_traits(card)) for card in cards]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    by_family = {card.rule.id: row for card, row in zip(cards, rows, strict=True)}
    lines = [plural(len(cards), "rule"), ""]
    for family, mine in families(cards):
        lines.append(family.value)
        lines += [_line(by_family[card.rule.id], widths) for card in mine]
        lines.append("")
    lines.append("hipassess explain RULE tells why, what to do, and the evidence.")
    return "\n".join(lines) + "\n"


def _line(row: Row, widths: Sequence[int]) -> str:
    return (
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    )


def _traits(card: RuleCard) -> Row:
    rule = card.rule
    return rule.tier.value, rule.severity.value, holds_in_short(rule.holds)


def catalogue_markdown(cards: Sequence[RuleCard]) -> str:
    """One table of all rules."""
    return "\n".join(table_lines(cards, with_family=True)) + "\n"


def table_lines(
    cards: Sequence[RuleCard], *, with_family: bool, links: bool = False
) -> Iterator[str]:
    """The lines of a Markdown table of rules; with ``links`` an id leads to the rule's page."""
    heads = ["rule", "what it finds", *(["family"] if with_family else ())]
    heads += ["tier", "severity", "holds"]
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    for card in cards:
        rule = card.rule
        name = f"[{rule.id}]({page_name(card)})" if links else rule.id
        family = [rule.family.value] if with_family else []
        cells = map(markdown_text, (rule.title, *family, *_traits(card)))
        yield f"| {' | '.join((name, *cells))} |"


def families(cards: Sequence[RuleCard]) -> Iterator[tuple[Family, list[RuleCard]]]:
    """The families that have rules, in their order, each with its rules."""
    for family in Family:
        mine = [card for card in cards if card.rule.family is family]
        if mine:
            yield family, mine


def page_name(card: RuleCard) -> str:
    """The file name of a rule's page."""
    return f"{card.rule.id}.md"
