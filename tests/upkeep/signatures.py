"""Every mapped function's CUDA signature against HIP's, in each release whose binding is known."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache

from migrate.knowledge.apis import load_tables
from migrate.knowledge.rows import ApiRow
from migrate.knowledge.tables import table_rows
from migrate.model.target import CudaVersion, RocmRelease
from migrate.model.verdict import Verdict
from tests.upkeep.calls import Renames, compare, renames
from tests.upkeep.ctype import Types
from tests.upkeep.declared import Declared
from tests.upkeep.functions import CudaFunctions, HipFunctions

_ABOUT_SIGNATURE = re.compile(r"\b(?:argument|parameter|passes|takes(?! the place))\b")
# The runtime and the driver have each other's handles and structs.
_ONE_LIBRARY = ("runtime", "driver")


@dataclass(frozen=True, slots=True)
class Pair:
    """A CUDA function and HIP's in one version and release, and how a caller feels they differ."""

    cuda: str
    rocm: str
    ours: Declared
    theirs: Declared
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row whose verdict the signatures do not bear out.

    ``kind`` is ``differs`` (the row says that the call stays as it is), ``equal`` (the row says
    that it is changed or rewritten, and no signature differs), ``partly`` (changed, and in some
    releases none differs) or ``there`` (no mapping, and HIP declares the same).
    """

    row: ApiRow
    name: str
    kind: str
    pairs: list[Pair] = field(default_factory=list)

    def words(self) -> list[str]:
        """The differences, each with the CUDA versions and the releases that it is seen in."""
        seen: dict[str, list[Pair]] = defaultdict(list)
        for pair in self.pairs:
            for words in pair.words:
                seen[words].append(pair)
        return [
            f"{words} [CUDA {_joined(pair.cuda for pair in pairs)},"
            f" ROCm {_joined(pair.rocm for pair in pairs)}]"
            for words, pairs in seen.items()
        ]


def _joined(texts: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(texts))


def check_signatures(
    cuda: Mapping[str, Sequence[Declared]], hip: Mapping[str, Sequence[Declared]]
) -> list[Disagreement]:
    """Compare what every row claims: declarations by CUDA version and by ROCm release."""
    found: dict[tuple[int, str], tuple[ApiRow, list[Pair]]] = {}
    releases = {release: HipFunctions(declared) for release, declared in hip.items()}
    overloaded: set[str] = set()
    for version, declared in cuda.items():
        ours = CudaFunctions(declared)
        overloaded |= ours.overloaded
        made: dict[tuple[bool | str, str], Renames] = {}
        for name in ours.names():
            for row, forms in _claims(name, version, ours.named(name)):
                pairs = found.setdefault((id(row), name), (row, []))[1]
                for release, theirs in releases.items():
                    others = theirs.counterpart(row, name)
                    if not others or not row.holds(RocmRelease.parse(release)):
                        continue
                    key = (row.library in _ONE_LIBRARY or row.library, release)
                    if key not in made:
                        made[key] = _renames(row.library, ours.types, theirs.types)
                    pairs.append(_closest(forms, others, version, release, made[key]))
    judged = (
        _judged(row, name, pairs, overloaded=name in overloaded)
        for (_, name), (row, pairs) in found.items()
    )
    return sorted(filter(None, judged), key=lambda one: (one.row.library, one.name, one.kind))


def _claims(
    name: str, version: str, declared: list[Declared]
) -> Iterator[tuple[ApiRow, list[Declared]]]:
    """The rows that speak of a function of this version, each with the forms that it speaks of."""
    rows = [
        row for row in load_tables().rows_of(name)
        if row.kind in {"function", "family"} and row.speaks_of(CudaVersion.parse(version))
    ]  # fmt: skip
    counted = {count for row in rows for count in row.arguments}
    for row in rows:
        forms = [
            one for one in declared
            if (len(one.parameters) in row.arguments if row.arguments
                else len(one.parameters) not in counted)
        ]  # fmt: skip
        if forms:
            yield row, forms


def _closest(
    ours: list[Declared], theirs: list[Declared], version: str, release: str, rename: Renames
) -> Pair:
    pairs = (
        Pair(version, release, one, other, tuple(compare(one, other, rename)))
        for one in ours
        for other in theirs
    )
    return min(pairs, key=lambda pair: len(pair.words))


def _renames(library: str, cuda: Types, hip: Types) -> Renames:
    owners = _ONE_LIBRARY if library in _ONE_LIBRARY else (library,)
    pairs = _type_pairs()
    own = {ours for owner, ours, _ in pairs if owner in owners}
    return renames(((ours, theirs) for _, ours, theirs in pairs), own, cuda, hip)


@cache
def _type_pairs() -> tuple[tuple[str, str, str], ...]:
    """Library, CUDA name and HIP name of what may be a type."""
    return tuple(
        (row.library, row.name, row.hip)
        for row in load_tables().all_rows()
        if row.kind == "data" and row.hip and not row.name.endswith("*")
    )


def _judged(row: ApiRow, name: str, pairs: list[Pair], *, overloaded: bool) -> Disagreement | None:
    differ = [pair for pair in pairs if pair.words]
    equal = [pair for pair in pairs if not pair.words]
    kind = ""
    if row.verdict in {Verdict.SAME, Verdict.RENAMED}:
        kind = "differs" if differ else ""
    elif row.verdict is Verdict.CHANGED and equal and _ABOUT_SIGNATURE.search(row.note):
        # A C++ form may be what differs.
        kind = "partly" if differ else "" if overloaded else "equal"
    elif row.verdict is Verdict.REPLACED and row.hip:
        kind = "equal" if equal and not differ else ""
    elif row.verdict in {Verdict.MISSING, Verdict.REPLACED} and not row.hip and equal:
        kind = "there"
    return Disagreement(row, name, kind, differ if kind == "differs" else pairs) if kind else None


def read_exceptions() -> list[tuple[str, str]]:
    """Library and name (which may end in ``*``) of the differences that no caller feels."""
    rows = table_rows("library,name,reason", "signature_exceptions.csv")
    return [(library, name) for library, name, _ in rows]


def report(disagreements: Sequence[Disagreement], exceptions: Sequence[tuple[str, str]]) -> int:
    """Print what no exception explains, and the exceptions without use; returns their number."""
    used: set[tuple[str, str]] = set()
    left = []
    for one in disagreements:
        covering = {
            rule for rule in exceptions
            if rule[0] == one.row.library and fnmatchcase(one.name, rule[1])
        }  # fmt: skip
        used |= covering
        if not covering:
            left.append(one)
    stale = [rule for rule in exceptions if rule not in used]
    print(f"\n{len(left)} rows that the signatures do not bear out")
    for library, number in sorted(Counter(one.row.library for one in left).items()):
        print(f"  {library:<12}{number:>5}")
    for one in left:
        print(f"\n{one.row.library}: {one.name} -> {one.row.hip or one.pairs[0].theirs.name}"
              f" is {one.row.verdict}, the signatures: {one.kind}")  # fmt: skip
        for words in one.words():
            print(f"  {words}")
    print(f"\n{len(stale)} lines of signature_exceptions.csv that nothing needs")
    for library, name in stale:
        print(f"  {library} {name}")
    return len(left) + len(stale)
