"""The ROCm releases that the tables speak of, in order, and what comes after one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from migrate.errors import AssessError
from migrate.knowledge.tables import table_rows
from migrate.model.target import RocmRelease

_HEADER = "release,line,known,source,note"


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """One release; ``known`` is the first month (YYYY-MM) whose documents describe it."""

    release: RocmRelease
    line: str
    known: str
    source: str
    note: str


@cache
def release_rows() -> tuple[ReleaseRow, ...]:
    """Every known release: production in order, then the previews in order."""
    return tuple(
        ReleaseRow(RocmRelease.parse(row[0]), *row[1:])
        for row in table_rows(_HEADER, "releases.csv")
    )


@cache
def known_releases() -> tuple[RocmRelease, ...]:
    """Every known release: production in order, then the previews in order."""
    return tuple(row.release for row in release_rows())


def parse_release(text: str) -> RocmRelease:
    """Read a release that the tables know; a patch level does not count.

    Raises:
        AssessError: no release number, or an unknown one.
    """
    try:
        release = RocmRelease.parse(text)
    except ValueError:
        release = None
    if release is None or release not in known_releases():
        known = ", ".join(map(str, known_releases()))
        raise AssessError(
            f"ROCm release {text!r} is not known", slug="unknown-release", hint=f"known: {known}"
        )
    return release


@cache
def later_releases(release: RocmRelease) -> tuple[RocmRelease, ...]:
    """The releases that a user of ``release`` meets after it, in order.

    Production users meet no preview; preview users go on to 10.0.
    """
    known = known_releases()
    previews = [there for there in known if there.preview]
    production = [there for there in known if not there.preview]
    line = [*previews, *production] if release.preview else production
    return tuple(there for there in line if there != release and there.has(release))


@cache
def _known_months() -> dict[RocmRelease, str]:
    return {row.release: row.known for row in release_rows()}


def described_by(as_of: str, release: RocmRelease) -> bool:
    """Whether a document of the month ``as_of`` can speak of ``release``."""
    return as_of >= _known_months().get(release, "9999-12")
