"""Which matrix products each GPU has, in builtins of the compiler and in rocWMMA."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import log2
from types import MappingProxyType
from typing import TypeVar

from migrate.knowledge.archs import known_archs
from migrate.knowledge.sources import evidence_of, known_sources
from migrate.knowledge.tables import bad_mapping, table_rows
from migrate.model.resolution import Evidence
from migrate.model.target import RocmRelease

_TYPES = "type,ptx,cpp,elsewhere,nearest,source,note"
_INSTRUCTIONS = "input,accumulator,family,m,n,k,blocks,archs,builtin,source,note"
_FRAGMENTS = "input,output,accumulator,m,n,k_min,archs,source,note"
_DENSE = frozenset({"MFMA", "WMMA"})
_SPARSE = frozenset({"SMFMAC", "SWMMAC"})
_ACCUMULATORS = MappingProxyType({"s32": "i32"})
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_KINDS = MappingProxyType(
    {"kind::f16": "f16", "kind::tf32": "tf32", "kind::i8": "i8", "kind::f8f6f4": "fp8",
     "kind::mxf8f6f4": "fp8", "kind::mxf4": "fp4", "kind::mxf4nvf4": "fp4"}
)  # fmt: skip
_ANY_SHAPE = (16, 16, 16)

Shape = tuple[int, int, int]
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class MatrixType:
    """A number format of matrix inputs: its PTX and C++ spellings, and what to do without it.

    ``nearest`` are the types that its products may be written with instead, the nearest first.
    """

    name: str
    ptx: frozenset[str]
    cpp: frozenset[str]
    elsewhere: str
    nearest: tuple[str, ...]
    source: str
    note: str

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Where the claim comes from."""
        return evidence_of(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixInstruction:
    """One product that a wavefront does at once; with ``blocks`` of them side by side."""

    input: str
    accumulator: str
    family: str
    shape: Shape
    blocks: int
    archs: frozenset[str]
    builtin: str
    source: str
    note: str

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Where the claim comes from."""
        return evidence_of(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixFragment:
    """One tile that rocWMMA multiplies; ``shape`` has the least depth, more is a power of two.

    ``since`` is the first release for each architecture.
    """

    input: str
    output: str
    accumulator: str
    shape: Shape
    since: MappingProxyType[str, RocmRelease]
    source: str
    note: str

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Where the claim comes from."""
        return evidence_of(self.source)


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """What an instruction multiplies: types in our words, and the tile if it names one."""

    input: str
    accumulator: str = ""
    shape: Shape | None = None
    sparse: bool = False


@dataclass(frozen=True, slots=True)
class MatrixAnswer:
    """What one GPU has for a product: the nearest builtin and the nearest rocWMMA tile.

    Both are ``None`` where the input type is missing there; then ``instead`` is the builtin for
    the nearest type, and the type's ``elsewhere`` says what to do. ``exact``: the builtin's shape
    is the one asked for.
    """

    gfx: str
    builtin: MatrixInstruction | None
    fragment: MatrixFragment | None
    instead: MatrixInstruction | None
    exact: bool


def matrix_answer(product: MatrixProduct, gfx: str, release: RocmRelease) -> MatrixAnswer:
    """What a GPU has for a product in a release; ``gfx`` may carry target features.

    Raises:
        AssessError: rows that cannot be read.
    """
    gfx = gfx.partition(":")[0]
    builtin = _nearest_instruction(product, product.input, gfx)
    kind = matrix_types().get(product.input)
    others = kind.nearest if kind and builtin is None else ()
    instead = (_nearest_instruction(product, other, gfx) for other in others)
    return MatrixAnswer(
        gfx,
        builtin,
        _nearest_fragment(product, gfx, release),
        next(filter(None, instead), None),
        builtin is not None and builtin.shape == product.shape,
    )


def read_product(mnemonic: str) -> MatrixProduct | None:
    """What a ``mma``, ``wmma``, ``wgmma`` or ``tcgen05.mma`` instruction multiplies.

    ``None`` for other instructions, loads and stores of fragments among them.
    """
    head, *parts = mnemonic.lower().split(".")
    if head not in {"mma", "wmma", "wgmma", "tcgen05"} or not _multiplies(head, parts):
        return None
    sparse = any(part == "sp" or part.startswith("sp::") for part in parts)
    kind = next((_KINDS[part] for part in parts if part in _KINDS), "")
    match = next(filter(None, map(_SHAPE.fullmatch, parts)), None)
    shape = (int(match[1]), int(match[2]), int(match[3])) if match else None
    types = [word for word in map(_word, parts) if word]
    if head == "tcgen05":
        return MatrixProduct(kind, "i32" if kind == "i8" else "f32", None, sparse) if kind else None
    if head == "wmma" and len(types) == len(("d", "c")):
        return MatrixProduct("f16", types[0], shape, sparse)
    if len(types) < len(("d", "a", "b")):
        return None
    return MatrixProduct(types[1], types[0], shape, sparse)


def matrix_type_of(word: str) -> MatrixType | None:
    """The type behind a PTX modifier or a C++ type's name without its namespace.

    Raises:
        AssessError: rows that cannot be read.
    """
    for kind in matrix_types().values():
        if word in kind.ptx or word in kind.cpp:
            return kind
    return None


@cache
def matrix_types() -> MappingProxyType[str, MatrixType]:
    """Every input type by its name.

    Raises:
        AssessError: rows that cannot be read.
    """
    rows = _read(_TYPES, "matrix_types.csv", _type)
    return MappingProxyType({row.name: row for row in rows})


@cache
def matrix_instructions() -> tuple[MatrixInstruction, ...]:
    """Every product that a builtin does.

    Raises:
        AssessError: rows that cannot be read.
    """
    return _read(_INSTRUCTIONS, "matrix_instructions.csv", _instruction)


@cache
def matrix_fragments() -> tuple[MatrixFragment, ...]:
    """Every tile of rocWMMA.

    Raises:
        AssessError: rows that cannot be read.
    """
    return _read(_FRAGMENTS, "matrix_rocwmma.csv", _fragment)


def _multiplies(head: str, parts: list[str]) -> bool:
    wanted = {"mma": "sync", "wmma": "mma", "wgmma": "mma_async", "tcgen05": "mma"}[head]
    return wanted in parts


def _word(part: str) -> str:
    """Our word for a PTX type among the modifiers, "" for another modifier."""
    if part in _ACCUMULATORS:
        return _ACCUMULATORS[part]
    kind = next((kind for kind in matrix_types().values() if part in kind.ptx), None)
    return kind.name if kind else ""


def _nearest_instruction(product: MatrixProduct, kind: str, gfx: str) -> MatrixInstruction | None:
    """The builtin of the nearest shape; a dense one where a sparse product has none of its own."""
    there = [row for row in matrix_instructions() if row.input == kind and gfx in row.archs]
    wanted = [row for row in there if row.family in (_SPARSE if product.sparse else _DENSE)]
    return min(
        wanted or there,
        key=lambda row: (
            row.accumulator != product.accumulator,
            row.blocks > 1,
            _distance(row.shape, product.shape),
        ),
        default=None,
    )


def _nearest_fragment(
    product: MatrixProduct, gfx: str, release: RocmRelease
) -> MatrixFragment | None:
    there = (
        row
        for row in matrix_fragments()
        if row.input == product.input and gfx in row.since and release.has(row.since[gfx])
    )
    return min(
        there,
        key=lambda row: (
            row.accumulator != product.accumulator,
            row.output != product.accumulator,
            _distance(row.shape, product.shape),
        ),
        default=None,
    )


def _distance(one: Shape, other: Shape | None) -> float:
    """How many doublings lie between two shapes."""
    return sum(abs(log2(a / b)) for a, b in zip(one, other or _ANY_SHAPE, strict=True))


def _read(header: str, name: str, parse: Callable[[list[str]], _Row]) -> tuple[_Row, ...]:
    rows, problems = [], []
    for cells in table_rows(header, name):
        try:
            rows.append(parse(cells))
        except ValueError as problem:
            problems.append(f"{name}: {','.join(cells[:6])}: {problem}")
    if problems:
        raise bad_mapping(problems)
    return tuple(rows)


def _type(cells: list[str]) -> MatrixType:
    name, ptx, cpp, elsewhere, nearest, source, note = cells
    return MatrixType(
        name=name, ptx=frozenset(ptx.split()), cpp=frozenset(cpp.split()), elsewhere=elsewhere,
        nearest=tuple(nearest.split()), source=_keys(source), note=note,
    )  # fmt: skip


def _instruction(cells: list[str]) -> MatrixInstruction:
    kind, accumulator, family, m, n, k, blocks, archs, builtin, source, note = cells
    if family not in _DENSE | _SPARSE:
        raise ValueError(f"unknown family {family}")
    return MatrixInstruction(
        input=kind, accumulator=accumulator, family=family, shape=(int(m), int(n), int(k)),
        blocks=int(blocks), archs=frozenset(_archs(archs.split())), builtin=builtin,
        source=_keys(source), note=note,
    )  # fmt: skip


def _fragment(cells: list[str]) -> MatrixFragment:
    kind, output, accumulator, m, n, k_min, archs, source, note = cells
    pairs = [word.partition(":") for word in archs.split()]
    names = _archs(gfx for gfx, _, _ in pairs)
    return MatrixFragment(
        input=kind, output=output, accumulator=accumulator, shape=(int(m), int(n), int(k_min)),
        since=MappingProxyType(
            dict(zip(names, (RocmRelease.parse(since) for _, _, since in pairs), strict=True))
        ),
        source=_keys(source), note=note,
    )  # fmt: skip


def _archs(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in known_archs():
            raise ValueError(f"unknown architecture {name}")
        yield name


def _keys(source: str) -> str:
    if not source or set(source.split(";")) - set(known_sources()):
        raise ValueError("a claim without source")
    return source
