"""The words a file is searched for: the tables' names, compiled once per process."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from migrate.knowledge.apis import ApiTables, load_tables
from migrate.knowledge.owners import owned_by

KERNEL_WORDS = frozenset({b"__global__", b"__shared__", b"__constant__", b"__device__"})
USUAL_ALIASES = {b"cg": "cooperative_groups", b"wmma": "nvcuda::wmma"}
"""Namespace aliases that an included header may define: they count for names with a row."""

_MOST_REMEMBERED = 200_000
_LIBRARIES = "blas|dnn|fft|rand|sparse|solver|tensor|file|pti|dss|da"
_LOOKALIKE = re.compile(
    rf"cu(?:{_LIBRARIES})[A-Z]\w*|cuda[A-Z]\w*|cu[A-Z][a-z]\w*[a-z]\w*"
    rf"|nccl[A-Z]\w*|nvml[A-Z]\w*|nvrtc[A-Z]\w*|nvJitLink\w+|nvtx[A-Z]\w*|cufile\w+|CUfile\w+"
    rf"|CU(?:BLAS|BLASLT|DNN|FFT|RAND|SPARSE|SOLVER|TENSOR|PTI)_[A-Z0-9_]+|CUDA_ERROR_[A-Z_]+"
    rf"|__(?:shfl|ballot|any|all|match|reduce)_\w+|__nv_\w+".encode()
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the text pass looks for.

    ``names`` are unqualified names with a row; ``families`` matches a whole name that a family row
    answers for; ``lookalike`` one that has the form of a CUDA name; ``namespaces`` are the C++
    namespaces with rows; ``member_types`` the structs whose members have rows.
    """

    names: frozenset[bytes]
    families: re.Pattern[bytes]
    lookalike: re.Pattern[bytes]
    namespaces: frozenset[bytes]
    member_types: frozenset[bytes]
    tables: ApiTables
    _answers: dict[str, bool] = field(default_factory=dict)
    _ordinary: set[bytes] = field(default_factory=set)
    """Words that were met and have no CUDA name's form; files repeat them."""

    def formed(self, words: set[bytes]) -> tuple[set[bytes], set[bytes]]:
        """Of words without a row of their own, those of a family and those that only look so."""
        families: set[bytes] = set()
        lookalikes: set[bytes] = set()
        if len(self._ordinary) > _MOST_REMEMBERED:
            self._ordinary.clear()
        for word in words - self._ordinary:
            if self.families.fullmatch(word) and self.knows(word.decode()):
                families.add(word)
            elif self.lookalike.fullmatch(word):
                lookalikes.add(word)
            else:
                self._ordinary.add(word)
        return families, lookalikes

    def knows(self, name: str) -> bool:
        """Whether a row or a family's row answers for a name; remembered, files repeat names."""
        known = self._answers.get(name)
        if known is None:
            known = self._answers[name] = self.tables.knows(name)
        return known


@cache
def load_vocabulary(own: frozenset[str] = frozenset()) -> Vocabulary:
    """Compile the tables' names for searching bytes.

    Names of the libraries ``own`` (keys), which the tree is itself, are left out.
    """
    tables = load_tables()
    plain = {name for name in tables.names if "::" not in name and not _is_own(name, own)}
    stems: list[str] = []
    for pattern in sorted(tables.families):
        # A longer family of the same stem finds no other words.
        longer = bool(stems) and pattern.startswith(stems[-1])
        if not longer and "::" not in pattern and not _is_own(pattern[:-1], own):
            stems.append(pattern[:-1])
    endings = [re.escape(pattern).replace(r"\*", r"[A-Z]\w*") for pattern in tables.suffixed]
    families = [rf"(?:{'|'.join(map(re.escape, stems)) or '(?!)'})\w+", *endings]
    members = {name.split("::")[0] for name in tables.names if "::" in name}
    members |= {pattern.split("::")[0] for pattern in tables.families if "::" in pattern}
    return Vocabulary(
        names=frozenset(name.encode() for name in plain),
        families=re.compile("|".join(families).encode()),
        lookalike=_LOOKALIKE,
        namespaces=frozenset(
            name.encode() for name in tables.namespaces if not _is_own(f"{name}::", own)
        ),
        member_types=frozenset(
            name.encode() for name in members - tables.namespaces if name in plain
        ),
        tables=tables,
    )


def _is_own(name: str, own: frozenset[str]) -> bool:
    return bool(own) and owned_by(name) in own
