"""What the tables answer for one CUDA name on one target."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Flag, Verdict


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a fact comes from: a document or repository path, and the date it speaks of."""

    key: str
    title: str
    url: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The verdict on one name, with everything a reader needs to check it.

    ``hip`` is the HIP or ROCm name ("" for none); ``since`` the first release with the mapping;
    ``better`` the first release after the target's in which the verdict is better; ``library`` the
    key in mappings/components.csv; ``near`` close names where the name is unknown. ``as_of`` is the
    month up to which the claim was looked at ("" for what is no claim of a table), ``older``
    whether that is before the target's release came and no symbol list of the release settles it.
    """

    name: str
    library: str
    kind: str
    verdict: Verdict
    hip: str = ""
    since: RocmRelease | None = None
    flags: tuple[Flag, ...] = ()
    confidence: Confidence = Confidence.CERTAIN
    note: str = ""
    evidence: tuple[Evidence, ...] = ()
    cuda_added: str = ""
    cuda_changed: str = ""
    cuda_removed: str = ""
    better: RocmRelease | None = None
    as_of: str = ""
    older: bool = False
    near: tuple[str, ...] = ()
