"""What becomes of single CUDA names on each release: the ``map`` command's answers."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from migrate.errors import AssessError
from migrate.knowledge.apis import load_tables
from migrate.knowledge.archs import parse_arch
from migrate.knowledge.components import known_components
from migrate.knowledge.releases import known_releases, parse_release
from migrate.model.resolution import Resolution
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import Verdict
from migrate.report.safe import printable

_DEFAULT_ARCH = "gfx942"
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Answer:
    """What the tables say of a name on a target."""

    target: Target
    resolution: Resolution


def answers_for(
    names: Sequence[str],
    releases: Sequence[str],
    *,
    cuda: str | None,
    arch: str | None,
    previews: bool,
) -> tuple[Answer, ...]:
    """Resolve names, in the order given, on releases in the order of their numbers.

    Args:
        names: CUDA names; namespaced ones in full.
        releases: ROCm releases; none stands for every production release.
        cuda: CUDA version of the source; None takes the CUDA 12 form.
        arch: gfx architecture.
        previews: whether "every release" includes the previews.

    Raises:
        AssessError: an unknown release or architecture, or no CUDA version.
    """
    chosen = {parse_release(text) for text in releases} or {
        release for release in known_releases() if previews or not release.preview
    }
    version = _cuda_version(cuda) if cuda else None
    gfx = parse_arch(arch or _DEFAULT_ARCH).gfx
    targets = [Target(release, (gfx,), version) for release in sorted(chosen, key=_number)]
    tables = load_tables()
    return tuple(
        Answer(target, tables.resolve(name, target))
        for name in dict.fromkeys(names)
        for target in targets
    )


def _number(release: RocmRelease) -> tuple[int, int]:
    return release.major, release.minor


def _cuda_version(text: str) -> CudaVersion:
    try:
        return CudaVersion.parse(text)
    except ValueError:
        raise AssessError(
            f"{text!r} is no CUDA version", slug="bad-cuda-version", hint="Write it as 12.8."
        ) from None


def render_map_json(answers: Sequence[Answer]) -> str:
    """The contract's list: one object a name and release."""
    rows = [map_row(answer.target, answer.resolution) for answer in answers]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def map_row(target: Target, answer: Resolution) -> dict[str, object]:
    """What the tables say of a name on a target, as an object of the contract's list."""
    row: dict[str, object] = {
        "name": answer.name,
        "rocm": str(target.rocm),
        "arch": target.archs[0],
        "library": answer.library or None,
        "verdict": answer.verdict.value,
        "hip": answer.hip or None,
        "since": load_tables().first_release(answer.name, answer.since) if answer.since else None,
        "flags": [flag.value for flag in answer.flags],
        "confidence": answer.confidence.value,
        "cuda": dict(_cuda_history(answer)),
        "better": str(answer.better) if answer.better else None,
        "as_of": answer.as_of or None,
        "note": answer.note,
        "evidence": [evidence.url or evidence.title for evidence in answer.evidence],
    }
    if answer.verdict is Verdict.UNKNOWN:
        row["near"] = list(answer.near)
    return row


def _cuda_history(answer: Resolution) -> Iterator[tuple[str, str]]:
    """What happened to the name in CUDA, with the versions; events that are not known are left."""
    events = (
        ("added", answer.cuda_added),
        ("changed", answer.cuda_changed),
        ("removed", answer.cuda_removed),
    )
    yield from (event for event in events if event[1])


def render_map_text(answers: Sequence[Answer]) -> str:
    """One block a name under a line that says for what; releases that agree share a line.

    Production releases come first, the previews that ran beside 7.2 after them.
    """
    if not answers:
        return ""
    target = answers[0].target
    cuda = f"CUDA {target.cuda}" if target.cuda else "CUDA 12"
    blocks = [
        f"On {target.archs[0]}, for source code of {cuda}; tables of {load_tables().as_of}",
    ]
    for _, group in groupby(answers, key=lambda answer: answer.resolution.name):
        blocks.append("\n".join(_block(list(group))))
    return "\n\n".join(blocks) + "\n"


def _block(answers: Sequence[Answer]) -> Iterator[str]:
    first = answers[0].resolution
    if first.verdict is Verdict.UNKNOWN:
        yield f"{printable(first.name)}: no table knows this name"
        if first.near:
            yield f"  Did you mean {', '.join(first.near)}?"
        return
    library = known_components().get(first.library)
    yield f"{first.name}  ({library.title if library else first.library})"
    spans = spans_of(answers)
    width = max(len(span) for span, _ in spans)
    for span, answer in spans:
        yield f"  {span:<{width}}  {_essence(answer)}"
    if history := ", ".join(f"{word} {version}" for word, version in _cuda_history(first)):
        yield f"  In {_versioned(first)}: {history}"
    yield from _notes(spans)
    titles = dict.fromkeys(
        evidence.title for answer in answers for evidence in answer.resolution.evidence
    )
    months = dict.fromkeys(answer.resolution.as_of for answer in answers)
    yield from _wrapped(f"Sources ({', '.join(sorted(months))}): {'; '.join(titles)}")


def spans_of(answers: Sequence[Answer]) -> list[tuple[str, Resolution]]:
    """What a name becomes, release by release: neighbours that agree are one span."""
    return [
        (_span(group), group[0].resolution) for line in _lines(answers) for group in _runs(line)
    ]


def _lines(answers: Sequence[Answer]) -> tuple[list[Answer], ...]:
    """The answers on production releases and those on previews, if any."""
    production = [answer for answer in answers if not answer.target.rocm.preview]
    previews = [answer for answer in answers if answer.target.rocm.preview]
    return tuple(line for line in (production, previews) if line)


def _runs(answers: Sequence[Answer]) -> Iterator[list[Answer]]:
    """Neighbours that say the same."""
    for _, group in groupby(answers, key=lambda answer: _essence(answer.resolution)):
        yield list(group)


def _span(answers: Sequence[Answer]) -> str:
    """The releases of a run: ``ROCm 6.2 to 7.2`` only where none between them was left out."""
    chosen = [answer.target.rocm for answer in answers]
    known = [there for there in known_releases() if there.preview == chosen[0].preview]
    start = known.index(chosen[0])
    word = "previews" if chosen[0].preview and len(chosen) > 1 else "preview"
    word = word if chosen[0].preview else "ROCm"
    if len(chosen) > 1 and known[start : start + len(chosen)] == chosen:
        return f"{word} {chosen[0]} to {chosen[-1]}"
    return f"{word} {', '.join(map(str, chosen))}"


def _versioned(answer: Resolution) -> str:
    """What the versions of a name's history count: CUDA's, or those of a library with its own."""
    rows = load_tables().rows_of(answer.name)
    library = known_components().get(answer.library)
    return "CUDA" if rows[0].cuda_versioned or library is None else library.title


def _notes(spans: Sequence[tuple[str, Resolution]]) -> Iterator[str]:
    """Every note once; with its releases where it is not that of all."""
    where: dict[str, list[str]] = {}
    for span, answer in spans:
        if answer.note:
            where.setdefault(answer.note, []).append(span)
    for note, places in where.items():
        yield from _wrapped(note if len(places) == len(spans) else f"{', '.join(places)}: {note}")


def _wrapped(text: str) -> Iterable[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )


def _essence(answer: Resolution) -> str:
    hip = f" -> {answer.hip}" if answer.hip and answer.hip != answer.name else ""
    flags = f" [{', '.join(flag.value.replace('_', ' ') for flag in answer.flags)}]"
    better = f", better from ROCm {answer.better}" if answer.better else ""
    if answer.verdict is Verdict.LATER:
        better = better.replace("better ", "", 1)
    return f"{answer.verdict.value}{hip}{better}{flags if answer.flags else ''}"
