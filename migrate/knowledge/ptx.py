"""What HIP offers for each PTX instruction and special register."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from migrate.knowledge.archs import known_archs
from migrate.knowledge.sources import evidence_of, known_sources
from migrate.knowledge.tables import bad_mapping, table_rows
from migrate.model.resolution import Evidence
from migrate.model.target import RocmRelease

_HEADER = "pattern,group,class,hip,archs,elsewhere,since,as_of,source,note"
_PATTERN = re.compile(r"%?[a-z_]\w*(?:\.[\w:|]+)*(?: [{\d])?")
_MONTH = re.compile(r"20\d\d-[01]\d")
_REGISTER = re.compile(r"%%?([a-z_]\w*)|\b(WARP_SZ)\b")
_PLACES = re.compile(r"\b(?:order|scope)\b")
_NUMBER = re.compile(r"\d+(?:_64)?$")


class PtxWork(StrEnum):
    """What an instruction asks of the port, the least first."""

    DROP = "drop"
    TRIVIAL = "trivial"
    BUILTIN = "builtin"
    REWRITE = "rewrite"
    REDESIGN = "redesign"


class PtxGroup(StrEnum):
    """What an instruction is about."""

    ARITHMETIC = "arithmetic"
    ASYNC = "async"
    ATOMIC = "atomic"
    CARRY = "carry"
    CLUSTER = "cluster"
    CONTROL = "control"
    CONVERT = "convert"
    LANES = "lanes"
    LOGIC = "logic"
    MATRIX = "matrix"
    MEMORY = "memory"
    MOVE = "move"
    ORDER = "order"
    REGISTER = "register"
    SELECT = "select"
    SYNC = "sync"
    TEXTURE = "texture"
    VIDEO = "video"


_ORDERS = {
    "relaxed": "__ATOMIC_RELAXED",
    "acquire": "__ATOMIC_ACQUIRE",
    "release": "__ATOMIC_RELEASE",
    "acq_rel": "__ATOMIC_ACQ_REL",
}
_SCOPES = {
    "cta": ("__HIP_MEMORY_SCOPE_WORKGROUP", '"workgroup"'),
    "cluster": ("__HIP_MEMORY_SCOPE_AGENT", '"agent"'),
    "gpu": ("__HIP_MEMORY_SCOPE_AGENT", '"agent"'),
    "sys": ("__HIP_MEMORY_SCOPE_SYSTEM", '""'),
}
"""PTX scopes as HIP's builtins and as AMDGCN's name them."""
_AMOUNT = {work: amount for amount, work in enumerate(PtxWork)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PtxRow:
    """One instruction pattern; mappings/README.md says how it reads and what each column means."""

    pattern: str
    group: PtxGroup
    work: PtxWork
    hip: str
    archs: frozenset[str]
    elsewhere: str
    since: RocmRelease | None
    as_of: str
    source: str
    note: str
    head: str
    needs: tuple[frozenset[str], ...]
    operands: str

    def offer(self, archs: Iterable[str], mnemonic: str = "") -> str:
        """What to write on all of these GPUs, "" for nothing; names may carry target features.

        With the instruction as written, its memory order and scope are filled in.
        """
        everywhere = all(gfx.partition(":")[0] in self.archs for gfx in archs)
        offer = self.hip if everywhere else self.elsewhere
        return _filled(offer, mnemonic) if self.group is PtxGroup.ORDER else offer

    def there(self, release: RocmRelease) -> bool:
        """Whether a release has what HIP offers."""
        return self.since is None or release.has(self.since)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Where the claim comes from."""
        return evidence_of(self.source)

    def fits(self, modifiers: frozenset[str], operands: str) -> bool:
        """Whether an instruction of the pattern's head word is meant."""
        return all(need & modifiers for need in self.needs) and (
            not self.operands
            or self.operands == operands
            or (self.operands == "{" and "{" in operands)
        )


@lru_cache(maxsize=1 << 14)
def ptx_row(mnemonic: str, operands: str = "") -> PtxRow | None:
    """The row that speaks of an instruction; the one that says the most of it wins.

    Raises:
        AssessError: rows that cannot be read.
    """
    head, *parts = mnemonic.lower().split(".")
    modifiers = frozenset(parts) | frozenset(part.partition("::")[0] for part in parts)
    fitting = [row for row in _by_head().get(head, ()) if row.fits(modifiers, operands)]
    return max(fitting, key=_rank, default=None)


def special_registers(text: str) -> tuple[PtxRow, ...]:
    """The rows of the special registers that a piece of PTX names, each once, in order.

    Raises:
        AssessError: rows that cannot be read.
    """
    rows = _by_head()
    found: dict[str, PtxRow] = {}
    for match in _REGISTER.finditer(text):
        name = f"%{(match[1] or match[2]).lower()}"
        for spelling in (name, _NUMBER.sub("", name)):
            if spelling in rows:
                found.setdefault(spelling, rows[spelling][0])
                break
    return tuple(found.values())


def ptx_heads() -> frozenset[str]:
    """The first words of all known instructions, and the special registers with their ``%``.

    Raises:
        AssessError: rows that cannot be read.
    """
    return frozenset(_by_head())


def most_work(rows: Iterable[PtxRow]) -> PtxWork:
    """The most that one of several instructions asks for."""
    return max((row.work for row in rows), key=_AMOUNT.__getitem__, default=PtxWork.DROP)


@cache
def ptx_rows() -> tuple[PtxRow, ...]:
    """Every row of the table.

    Raises:
        AssessError: rows that cannot be read.
    """
    rows, problems = [], []
    for cells in table_rows(_HEADER, "ptx.csv"):
        try:
            rows.append(_row(cells))
        except ValueError as problem:
            problems.append(f"ptx.csv: {cells[0]}: {problem}")
    if problems:
        raise bad_mapping(problems)
    return tuple(rows)


@cache
def _by_head() -> dict[str, tuple[PtxRow, ...]]:
    heads: dict[str, list[PtxRow]] = {}
    for row in ptx_rows():
        heads.setdefault(row.head, []).append(row)
    return {head: tuple(rows) for head, rows in heads.items()}


def _filled(offer: str, mnemonic: str) -> str:
    """What to write with the order and the scope of an instruction, where it names them."""
    modifiers = mnemonic.split(".")
    order = next((_ORDERS[word] for word in modifiers if word in _ORDERS), "order")
    names = next((_SCOPES[word] for word in modifiers if word in _SCOPES), ("scope", "scope"))
    scope = names["__builtin_amdgcn" in offer]
    return _PLACES.sub(lambda place: order if place[0] == "order" else scope, offer)


def _rank(row: PtxRow) -> tuple[int, int]:
    """How much a pattern says of an instruction; of equals, the one that asks for more work."""
    return len(row.needs) + bool(row.operands), _AMOUNT[row.work]


def _row(cells: list[str]) -> PtxRow:
    """Read the cells of one line.

    Raises:
        ValueError: a cell is not what its column holds.
    """
    pattern, group, work, hip, archs, elsewhere, since, as_of, source, note = cells
    if not _PATTERN.fullmatch(pattern):
        raise ValueError("no pattern")
    if not _MONTH.fullmatch(as_of) or not source or set(source.split(";")) - set(known_sources()):
        raise ValueError("a claim without source or date")
    if bool(archs) != bool(elsewhere):
        raise ValueError("archs and elsewhere go together")
    words, _, operands = pattern.partition(" ")
    head, *parts = words.split(".")
    return PtxRow(
        pattern=pattern, group=PtxGroup(group), work=PtxWork(work), hip=hip,
        archs=_archs(archs), elsewhere=elsewhere,
        since=RocmRelease.parse(since) if since else None,
        as_of=as_of, source=source, note=note,
        head=head, needs=tuple(frozenset(part.split("|")) for part in parts), operands=operands,
    )  # fmt: skip


def _archs(cell: str) -> frozenset[str]:
    """The architectures of a cell, all of them for an empty one; ``gfx12*`` is a family.

    Raises:
        ValueError: a name that archs.csv does not know.
    """
    known = frozenset(known_archs())
    if not cell:
        return known
    found: set[str] = set()
    for word in cell.split():
        named = fnmatch.filter(known, word)
        if not named:
            raise ValueError(f"unknown architecture {word}")
        found.update(named)
    return frozenset(found)
