"""What the rows of one name say of a target: the pure heart of the tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from migrate.knowledge.limits import ArchLimit, limit_on
from migrate.knowledge.releases import described_by, later_releases
from migrate.knowledge.rows import ApiRow, has_any
from migrate.knowledge.sources import evidence_of
from migrate.knowledge.symbols import load_symbols
from migrate.model.resolution import Resolution
from migrate.model.target import NEWEST_CUDA_12, CudaVersion, RocmRelease, Target
from migrate.model.verdict import Confidence, Flag, Verdict


def unknown_name(name: str, near: tuple[str, ...]) -> Resolution:
    """The answer for a name that no table has."""
    return Resolution(
        name=name, library="", kind="", verdict=Verdict.UNKNOWN,
        confidence=Confidence.POSSIBLE, near=near,
    )  # fmt: skip


def resolve_rows(
    name: str, rows: tuple[ApiRow, ...], target: Target, arguments: int | None
) -> Resolution:
    """Join the claims on one name into the answer for a target: its release, then its GPUs."""
    resolution = _on_release(name, rows, target, arguments)
    limit = limit_on(name, target.archs)
    if limit is None or limit.verdict.rank <= resolution.verdict.rank:
        return resolution
    return _limited(resolution, limit, target.rocm)


def _limited(resolution: Resolution, limit: ArchLimit, release: RocmRelease) -> Resolution:
    """The answer where a GPU of the target lacks what the name needs; no release helps then.

    The claim that decides is the limit's, and so are its age and the confidence in it.
    """
    fresh = described_by(limit.as_of, release)
    missing = limit.verdict is Verdict.MISSING
    return replace(
        resolution,
        verdict=limit.verdict,
        hip="" if missing else resolution.hip,
        since=None if missing else resolution.since,
        note=limit.note,
        evidence=(*resolution.evidence, *evidence_of(limit.source)),
        better=None,
        flags=tuple(flag for flag in resolution.flags if flag is not Flag.UNCONFIRMED),
        confidence=Confidence.CERTAIN if fresh else Confidence.LIKELY,
        as_of=limit.as_of,
        older=not fresh,
    )


def _on_release(
    name: str, rows: tuple[ApiRow, ...], target: Target, arguments: int | None
) -> Resolution:
    cuda, form = pick_form(rows, target.cuda, arguments)
    answer = _answer(form, target.rocm)
    row, release = answer.row, target.rocm
    flags = _flags(row, release, cuda)
    hip = _spelt(row.name, name, answer.hip)
    older = _is_older(name, hip, answer, release)
    confidence = _confidence(hip, answer, release, older=older)
    if confidence is Confidence.POSSIBLE:
        flags = (*flags, Flag.UNCONFIRMED)
    return Resolution(
        name=name,
        library=row.library,
        kind=row.kind,
        verdict=answer.verdict,
        hip=hip,
        since=answer.since,
        flags=flags,
        confidence=confidence,
        note=row.note,
        evidence=evidence_of(row.source),
        cuda_added=row.cuda_added,
        cuda_changed=row.cuda_changed,
        cuda_removed=row.cuda_removed,
        better=_first_better(form, answer.verdict, release),
        as_of=row.as_of,
        older=older,
    )


def pick_form(
    rows: tuple[ApiRow, ...], cuda: CudaVersion | None, arguments: int | None
) -> tuple[CudaVersion, tuple[ApiRow, ...]]:
    """The CUDA version to judge by, and the rows of the form that the source uses.

    A stated CUDA version decides; else the number of arguments, where a form is known by it; else
    the newest CUDA 12. Where a version has several forms, the arguments tell them apart, and
    without them the form that is not known by arguments, or takes fewest, stands.
    """
    if cuda is None and arguments is not None:
        named = tuple(row for row in rows if arguments in row.arguments)
        if named and not any(row.speaks_of(NEWEST_CUDA_12) for row in named):
            return named[0].cuda_from or NEWEST_CUDA_12, named
    version = cuda or NEWEST_CUDA_12
    held = tuple(row for row in rows if row.speaks_of(version)) or _nearest(rows, version)
    named = tuple(row for row in held if arguments is not None and arguments in row.arguments)
    if named:
        return version, named
    fewest = min(min(row.arguments, default=0) for row in held)
    return version, tuple(row for row in held if min(row.arguments, default=0) == fewest)


def _nearest(rows: tuple[ApiRow, ...], version: CudaVersion) -> tuple[ApiRow, ...]:
    """The rows of the form closest to a version that no row speaks of."""
    earlier = [row for row in rows if row.cuda_until is not None and row.cuda_until <= version]
    if earlier:
        newest = max(row.cuda_until for row in earlier if row.cuda_until is not None)
        return tuple(row for row in earlier if row.cuda_until == newest)
    first = min(row.cuda_from for row in rows if row.cuda_from is not None)
    return tuple(row for row in rows if row.cuda_from == first)


@dataclass(frozen=True, slots=True)
class _Answer:
    row: ApiRow
    verdict: Verdict
    hip: str = ""
    since: RocmRelease | None = None


def _answer(form: tuple[ApiRow, ...], release: RocmRelease) -> _Answer:
    """The verdict on one release: a row that holds, else ROCm's own API, else what comes later."""
    for row in form:
        if row.maps and row.holds(release):
            return _Answer(row, row.verdict, row.hip, _first(row.since, release))
    for row in form:
        began = not row.roc_since or has_any(release, row.roc_since)
        if row.roc and began and not has_any(release, row.until):
            return _Answer(row, Verdict.REPLACED, row.roc, _first(row.roc_since, release))
    for later in later_releases(release):
        for row in form:
            first = row.since or row.roc_since
            if row.verdict is not Verdict.MISSING and has_any(later, first) and row.holds(later):
                return _Answer(row, Verdict.LATER, row.hip or row.roc, _first(first, later))
    held = [row for row in form if row.holds(release)]
    return _Answer(held[0] if held else form[-1], Verdict.MISSING)


def _first(since: tuple[RocmRelease, ...], release: RocmRelease) -> RocmRelease | None:
    """The one of ``since`` by which the thing is in the release."""
    return next((first for first in since if release.has(first)), None)


def _first_better(
    form: tuple[ApiRow, ...], verdict: Verdict, release: RocmRelease
) -> RocmRelease | None:
    if verdict.rank <= Verdict.RENAMED.rank:
        return None
    return next(
        (
            later
            for later in later_releases(release)
            if _answer(form, later).verdict.rank < verdict.rank
        ),
        None,
    )


def _flags(row: ApiRow, release: RocmRelease, cuda: CudaVersion) -> tuple[Flag, ...]:
    flags = []
    if has_any(release, row.deprecated):
        flags.append(Flag.DEPRECATED)
    if has_any(release, row.experimental):
        flags.append(Flag.EXPERIMENTAL)
    if row.removed_in(cuda):
        flags.append(Flag.REMOVED_IN_CUDA)
    return tuple(flags)


def _is_older(name: str, hip: str, answer: _Answer, release: RocmRelease) -> bool:
    """Whether the claim was looked at before the release came, and no symbol of it settles it."""
    if described_by(answer.row.as_of, release):
        return False
    symbols = load_symbols()
    if answer.verdict is Verdict.MISSING:
        return not symbols.lacks_counterpart(name, release)
    declared = answer.verdict is not Verdict.LATER
    return symbols.has(hip, release) is not declared


def _confidence(hip: str, answer: _Answer, release: RocmRelease, *, older: bool) -> Confidence:
    """How sure the answer is: the symbols of the release say it, or a document that knows it."""
    row = answer.row
    if answer.verdict is Verdict.MISSING:
        return Confidence.POSSIBLE if older else Confidence.CERTAIN
    if answer.verdict is Verdict.LATER:
        # That a preview lacks what came in 7.2 beside it is the order's rule, nobody looked.
        beside = release.preview and answer.since is not None and not answer.since.preview
        return Confidence.POSSIBLE if beside else Confidence.CERTAIN
    if hip and not row.since and not row.roc_since and not load_symbols().has(hip, release):
        # The call is rewritten whatever its successor is called: only a claimed twin is in doubt.
        return Confidence.LIKELY if answer.verdict is Verdict.REPLACED else Confidence.POSSIBLE
    return Confidence.LIKELY if older else Confidence.CERTAIN


def _spelt(pattern: str, name: str, hip: str) -> str:
    """The HIP name, with what a family's star matched put in for its own star."""
    stem, star, ending = pattern.partition("*")
    if star and "*" in hip:
        return hip.replace("*", name.removesuffix(ending)[len(stem) :])
    return hip
