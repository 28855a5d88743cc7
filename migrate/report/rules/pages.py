"""The documentation of the rules: an index by family and a page a rule, as Markdown files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from migrate.errors import AssessError
from migrate.model.catalogue import RuleCard
from migrate.report.numbers import plural
from migrate.report.rules.listing import families, page_name, table_lines
from migrate.report.rules.words import (
    evidence_title,
    evidence_url,
    holds_in_words,
    judged_as,
    markdown_text,
    price_in_words,
)

INDEX = "README.md"
_MADE = "<!-- Made by: hipassess catalogue --format markdown -o docs/rules -->"
_FENCE = re.compile(r"`{3,}")


def rule_pages(cards: Sequence[RuleCard]) -> Mapping[str, str]:
    """Every page by its file name."""
    pages = {INDEX: "\n".join(_index(cards)) + "\n"}
    return pages | {page_name(card): "\n".join(_page(card)) + "\n" for card in cards}


def stale_pages(folder: Path, cards: Sequence[RuleCard]) -> list[str]:
    """The names of the pages in a folder that are missing, other than they should be, or left."""
    pages = rule_pages(cards)
    return sorted(
        {name for name, text in pages.items() if _content(folder / name) != text}
        | {path.name for path in _ours(folder) if path.name not in pages}
    )


def write_pages(folder: Path, cards: Sequence[RuleCard]) -> list[Path]:
    """Bring the pages in a folder up to date; the paths that changed, removed pages among them.

    Raises:
        AssessError: ``output-not-writable``.
    """
    from migrate.report.writers import write_whole  # noqa: PLC0415 - only to write

    pages = rule_pages(cards)
    stale = stale_pages(folder, cards)
    try:
        folder.mkdir(exist_ok=True)
        for name in stale:
            if name in pages:
                write_whole(folder / name, pages[name].encode())
            else:
                (folder / name).unlink()
    except OSError as error:
        raise AssessError(
            f"Cannot write {folder}: {error.strerror or error}", slug="output-not-writable"
        ) from error
    return [folder / name for name in stale]


def _ours(folder: Path) -> list[Path]:
    """The pages of a folder that a catalogue wrote: no other file is ever removed."""
    return [path for path in folder.glob("*.md") if _MADE in _content(path)]


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _index(cards: Sequence[RuleCard]) -> Iterator[str]:
    yield from (_MADE, "", "# Rules", "")
    yield f"{plural(len(cards), 'rule')}; `hipassess explain RULE` shows the same in a terminal."
    for family, mine in families(cards):
        yield from ("", f"## {family}", "")
        yield from table_lines(mine, with_family=False, links=True)


def _page(card: RuleCard) -> Iterator[str]:
    rule = card.rule
    yield from (_MADE, "", f"# {rule.id}: {markdown_text(rule.title)}", "")
    yield f"`{rule.slug}`, [{rule.family}]({INDEX}), {rule.tier} tier. {judged_as(rule)}"
    yield from _section("Why", rule.why)
    yield from _section("What to do", rule.fix)
    yield from _section("Where it holds", holds_in_words(rule.holds))
    yield from _section("Effort", price_in_words(card))
    yield from _example("Before", rule.example.cuda)
    yield from _example("After", rule.example.hip)
    if rule.evidence:
        yield from ("", "## Evidence", "")
    for one in rule.evidence:
        url = evidence_url(one).replace("(", "%28").replace(")", "%29")
        title = markdown_text(evidence_title(one))
        yield f"- [{title}]({url})" if url else f"- {title}: {one.url}"


def _section(head: str, text: str) -> Iterator[str]:
    yield from ("", f"## {head}", "", markdown_text(text))


def _example(head: str, code: str) -> Iterator[str]:
    if code:
        longest = max(map(len, _FENCE.findall(code)), default=2)
        fence = "`" * max(3, longest + 1)
        yield from ("", f"## {head}", "", f"{fence}cpp", code.strip("\n"), fence)
