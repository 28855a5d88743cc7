"""One claim of an API table: what a CUDA name becomes, for which CUDA and ROCm releases."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.target import CudaVersion, RocmRelease
from migrate.model.verdict import Verdict

HEADER = (
    "name,kind,hip,verdict,since,until,deprecated,changed,experimental,roc,roc_since,cuda_added,"
    "cuda_deprecated,cuda_changed,cuda_removed,cuda_from,cuda_until,arguments,as_of,source,note"
)
KINDS = frozenset({"function", "data", "builtin", "member", "namespace", "family"})
_OWN_VERSIONS = frozenset({"dnn", "file", "nccl", "sparselt", "tensor", "tensormg"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRow:
    """A row of mappings/apis/<library>.csv; mappings/README.md says what each column means.

    ``since``, ``deprecated`` and so on hold several releases where a thing came on the production
    line and on the previews' line at different times. ``cuda_*`` are texts: for the libraries with
    versions of their own they are no CUDA versions. ``since_texts`` are the first releases of
    ``since`` and ``roc_since`` as written, with a patch level where one is known.
    """

    library: str
    name: str
    kind: str
    hip: str
    verdict: Verdict
    since: tuple[RocmRelease, ...]
    until: tuple[RocmRelease, ...]
    deprecated: tuple[RocmRelease, ...]
    changed: tuple[RocmRelease, ...]
    experimental: tuple[RocmRelease, ...]
    roc: str
    roc_since: tuple[RocmRelease, ...]
    cuda_added: str
    cuda_changed: str
    cuda_removed: str
    cuda_from: CudaVersion | None
    cuda_until: CudaVersion | None
    arguments: frozenset[int]
    as_of: str
    source: str
    note: str
    since_texts: tuple[str, ...]

    @property
    def cuda_versioned(self) -> bool:
        """Whether the ``cuda_*`` texts are versions of the CUDA toolkit."""
        return self.library not in _OWN_VERSIONS

    @property
    def maps(self) -> bool:
        """Whether the row itself says what the name becomes, beside its ``roc`` alternative."""
        return self.verdict is not Verdict.MISSING and bool(self.hip or not self.roc)

    def speaks_of(self, cuda: CudaVersion) -> bool:
        """Whether the row holds for source code of this CUDA version."""
        return (self.cuda_from is None or cuda >= self.cuda_from) and (
            self.cuda_until is None or cuda < self.cuda_until
        )

    def holds(self, release: RocmRelease) -> bool:
        """Whether the row's HIP name is there in the release.

        A row that names no first release holds in all: it is unconfirmed, or says "no mapping".
        """
        return (not self.since or has_any(release, self.since)) and not has_any(release, self.until)

    def removed_in(self, cuda: CudaVersion) -> bool:
        """Whether the CUDA name is gone in this CUDA version."""
        if not self.cuda_removed or not self.cuda_versioned:
            return False
        return cuda >= CudaVersion.parse(self.cuda_removed)


def has_any(release: RocmRelease, since: tuple[RocmRelease, ...]) -> bool:
    """Whether something that first came in one of ``since`` is there in the release."""
    return any(release.has(first) for first in since)


def parse_row(library: str, cells: list[str]) -> ApiRow:
    """Read the cells of one line.

    Raises:
        ValueError: a cell is not what its column holds, or the cells do not fit together.
    """
    if len(cells) != HEADER.count(",") + 1:
        raise ValueError(f"{len(cells)} cells, not {HEADER.count(',') + 1}")
    (name, kind, hip, verdict, since, until, deprecated, changed, experimental, roc, roc_since,
     cuda_added, _, cuda_changed, cuda_removed, cuda_from, cuda_until, arguments, as_of, source,
     note) = cells  # fmt: skip
    if kind not in KINDS:
        raise ValueError(f"{name}: unknown kind {kind!r}")
    if not source or not as_of:
        raise ValueError(f"{name}: a claim without source or date")
    return ApiRow(
        library=library, name=name, kind=kind, hip=hip,
        verdict=Verdict(verdict) if verdict else _derived(name, hip, roc),
        since=_releases(since), until=_releases(until), deprecated=_releases(deprecated),
        changed=_releases(changed), experimental=_releases(experimental),
        roc=roc, roc_since=_releases(roc_since),
        cuda_added=cuda_added, cuda_changed=cuda_changed, cuda_removed=cuda_removed,
        cuda_from=CudaVersion.parse(cuda_from) if cuda_from else None,
        cuda_until=CudaVersion.parse(cuda_until) if cuda_until else None,
        arguments=frozenset(map(int, arguments.split())),
        as_of=as_of, source=source, note=note,
        since_texts=(*since.split(), *roc_since.split()),
    )  # fmt: skip


def _derived(name: str, hip: str, roc: str) -> Verdict:
    if not hip:
        return Verdict.REPLACED if roc else Verdict.MISSING
    return Verdict.SAME if hip == name else Verdict.RENAMED


def _releases(cell: str) -> tuple[RocmRelease, ...]:
    return tuple(map(RocmRelease.parse, cell.split()))
