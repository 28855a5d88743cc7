"""One rule, or one CUDA name, told to a reader: the ``explain`` command's answers."""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from migrate.errors import AssessError
from migrate.knowledge.components import known_components
from migrate.model.catalogue import RuleCard
from migrate.model.resolution import Resolution
from migrate.model.verdict import Flag, Verdict
from migrate.report.name_map import Answer, map_row, spans_of
from migrate.report.rules.data import card_json
from migrate.report.rules.words import (
    evidence_title,
    evidence_url,
    holds_in_words,
    judged_as,
    price_in_words,
)
from migrate.report.safe import printable
from migrate.report.words import FLAG_WORDS

_WIDTH = 92
_HEAD = 10
_MOST_NEAR = 5


def explain_rule_json(card: RuleCard) -> str:
    """A rule as one JSON object."""
    return _json(card_json(card))


def explain_rule_text(card: RuleCard) -> str:
    """A rule as a page of a terminal."""
    rule = card.rule
    lines = [
        f"{rule.id}  {rule.slug}",
        rule.title,
        "",
        *_wrapped(f"{rule.family}; {rule.tier} tier. {judged_as(rule)}"),
        "",
        *_part("Why", rule.why),
        *_part("Fix", rule.fix),
        *_part("Where", holds_in_words(rule.holds)),
        *_part("Effort", price_in_words(card)),
        "",
        *_evidence(card),
        *_example("Before", rule.example.cuda),
        *_example("After", rule.example.hip),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _part(head: str, text: str) -> Iterable[str]:
    return _wrapped(text, first=head.ljust(_HEAD), rest=" " * _HEAD)


def _wrapped(text: str, *, first: str = "", rest: str = "") -> Iterable[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _evidence(card: RuleCard) -> Iterator[str]:
    if card.rule.evidence:
        yield "Evidence"
    for one in card.rule.evidence:
        yield f"  {evidence_title(one)}"
        if url := evidence_url(one) or one.url:
            yield f"    {url}"


def _example(head: str, code: str) -> Iterator[str]:
    if code:
        yield ""
        yield head
        yield from textwrap.indent(code.strip("\n"), "    ").splitlines()


def explain_name_json(answers: Sequence[Answer], chosen: Answer) -> str:
    """A CUDA name as one JSON object: ``map``'s row for the target, in words, and the spans."""
    return _json(
        {
            "kind": "name",
            **map_row(chosen.target, chosen.resolution),
            "text": _prose(chosen),
            "releases": [
                {"rocm": span, "verdict": answer.verdict.value, "hip": answer.hip or None}
                for span, answer in spans_of(answers)
            ],
        }
    )


def explain_name_text(answers: Sequence[Answer], chosen: Answer) -> str:
    """What becomes of a CUDA name: on the target in words, then wherever it is something else."""
    answer = chosen.resolution
    library = known_components().get(answer.library)
    spans = spans_of(answers)
    lines = [
        f"{answer.name}  ({library.title if library else answer.library})",
        "",
        *_wrapped(_prose(chosen)),
    ]
    if len(spans) > 1:
        width = max(len(span) for span, _ in spans)
        lines += ["", "By release"]
        lines += [f"  {span:<{width}}  {_in_short(one)}" for span, one in spans]
    titles = dict.fromkeys(evidence.title for evidence in answer.evidence)
    lines += ["", *_part("Sources", "; ".join(titles))] if titles else []
    lines += ["", "A rule may say more of a place: hipassess catalogue lists them."]
    return "\n".join(lines) + "\n"


def _prose(chosen: Answer) -> str:
    """What becomes of a name on a target, in sentences."""
    answer, target = chosen.resolution, chosen.target
    on = f"On ROCm {target.rocm} and {', '.join(target.archs)}"
    said = [f"{on}, {answer.name} {_becomes(answer)}"]
    said += [answer.note] if answer.note else []
    said += [f"{FLAG_WORDS[flag].capitalize()}." for flag in answer.flags]
    if Flag.UNCONFIRMED in answer.flags:
        said.append("Check before you rely on it.")
    if answer.verdict.cuda_only:
        said.append("A use counts in the CUDA-only share.")
    return " ".join(said)


def _becomes(answer: Resolution) -> str:
    hip = answer.hip
    keeps = hip in {"", answer.name}
    if answer.verdict is Verdict.CHANGED and keeps:
        return "keeps its name and means something else: someone has to look at each place."
    return {
        Verdict.SAME: "keeps its name and its meaning: nothing to do.",
        Verdict.RENAMED: f"becomes {hip} with the same meaning: a tool does the edit.",
        Verdict.CHANGED: f"maps to {hip}, and meaning, limits or signature differ: someone has to "
        "look at each place.",
        Verdict.REPLACED: f"has no HIP twin; {hip or 'another ROCm library'} does the job, and the "
        "call sites are rewritten.",
        Verdict.LATER: f"is not there yet: it comes with ROCm {answer.better or answer.since}"
        f"{f' as {hip}' if hip and not keeps else ''}.",
        Verdict.MISSING: "has no equivalent.",
    }[answer.verdict]


def _in_short(answer: Resolution) -> str:
    other = answer.hip and answer.hip != answer.name
    return f"{answer.verdict.value}{f' -> {answer.hip}' if other else ''}"


def nothing_called(word: str, near: Sequence[str], cards: Sequence[RuleCard]) -> AssessError:
    """The mistake of asking for what is neither a rule nor a CUDA name, with what is close."""
    words = [word for card in cards for word in (card.rule.id, card.rule.slug)]
    by_case = {one.lower(): one for one in words}
    begun = [one for one in by_case if word and one.startswith(word.lower())][:_MOST_NEAR]
    close = difflib.get_close_matches(word.lower(), list(by_case), n=_MOST_NEAR)
    found = list(dict.fromkeys((*(by_case[one] for one in (*begun, *close)), *near)))[:_MOST_NEAR]
    return AssessError(
        f"{printable(word)!r} is neither a rule nor a CUDA name of the tables",
        slug="unknown-name",
        hint=f"Close to it: {', '.join(found)}."
        if found
        else "hipassess catalogue lists the rules; hipassess map answers for any CUDA name.",
    )


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
