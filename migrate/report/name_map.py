"""What becomes of single CUDA names on each release: the ``map`` command's answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from migrate.knowledge.apis import load_tables
from migrate.knowledge.archs import parse_arch
from migrate.knowledge.releases import known_releases, parse_release
from migrate.model.resolution import Resolution
from migrate.model.target import CudaVersion, RocmRelease, Target

_DEFAULT_ARCH = "gfx942"
Answer = tuple[RocmRelease, Resolution]


def answers_for(
    names: Sequence[str],
    releases: Sequence[str],
    *,
    cuda: str | None,
    arch: str | None,
    previews: bool,
) -> tuple[Answer, ...]:
    """Resolve names on releases, in the order given.

    Args:
        names: CUDA names; namespaced ones in full.
        releases: ROCm releases; none stands for every production release.
        cuda: CUDA version of the source; None takes the CUDA 12 form.
        arch: gfx architecture.
        previews: whether "every release" includes the previews.

    Raises:
        AssessError: an unknown release or architecture.
    """
    chosen = tuple(parse_release(text) for text in releases) or tuple(
        release for release in known_releases() if previews or not release.preview
    )
    version = CudaVersion.parse(cuda) if cuda else None
    gfx = parse_arch(arch or _DEFAULT_ARCH).gfx
    tables = load_tables()
    return tuple(
        (release, tables.resolve(name, Target(release, (gfx,), version)))
        for name in dict.fromkeys(names)
        for release in chosen
    )


def render_map_json(answers: Sequence[Answer]) -> str:
    """The contract's list: one object a name and release."""
    rows = [_row(release, answer) for release, answer in answers]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _row(release: RocmRelease, answer: Resolution) -> dict[str, object]:
    row: dict[str, object] = {
        "name": answer.name,
        "rocm": str(release),
        "library": answer.library or None,
        "verdict": answer.verdict.value,
        "hip": answer.hip or None,
        "since": str(answer.since) if answer.since else None,
        "flags": [flag.value for flag in answer.flags],
        "confidence": answer.confidence.value,
        "cuda": {
            key: value
            for key, value in (
                ("added", answer.cuda_added),
                ("changed", answer.cuda_changed),
                ("removed", answer.cuda_removed),
            )
            if value
        },
        "better": str(answer.better) if answer.better else None,
        "note": answer.note,
        "evidence": [evidence.url or evidence.title for evidence in answer.evidence],
    }
    if answer.near:
        row["near"] = list(answer.near)
    return row


def render_map_text(answers: Sequence[Answer]) -> str:
    """One block a name; releases with the same answer share a line."""
    blocks = []
    for _, group in groupby(answers, key=lambda answer: answer[1].name):
        blocks.append("\n".join(_block(list(group))))
    return "\n\n".join(blocks) + "\n"


def _block(answers: Sequence[Answer]) -> list[str]:
    first = answers[0][1]
    library = f"  ({first.library})" if first.library else ""
    lines = [f"{first.name}{library}"]
    for _, group in groupby(answers, key=lambda answer: _essence(answer[1])):
        same = list(group)
        span = str(same[0][0]) if len(same) == 1 else f"{same[0][0]} to {same[-1][0]}"
        lines.append(f"  ROCm {span:<14} {_essence(same[0][1])}")
    notes = dict.fromkeys(answer.note for _, answer in answers if answer.note)
    lines += [f"  {note}" for note in notes]
    if first.near:
        lines.append(f"  Did you mean {', '.join(first.near)}?")
    sources = dict.fromkeys(
        evidence.url or evidence.title for _, answer in answers for evidence in answer.evidence
    )
    lines += [f"  Source: {source}" for source in sources]
    return lines


def _essence(answer: Resolution) -> str:
    hip = f" -> {answer.hip}" if answer.hip and answer.hip != answer.name else ""
    flags = f" [{', '.join(answer.flags)}]" if answer.flags else ""
    later = f" (from ROCm {answer.better})" if answer.better else ""
    return f"{answer.verdict.value}{hip}{flags}{later}"
