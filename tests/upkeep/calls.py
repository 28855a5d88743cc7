"""Whether a call of a CUDA function still compiles, and means the same, with HIP's names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from migrate.knowledge.symbols import expected_hip_name
from tests.upkeep.ctype import FLOATS, FUNCTION, INTEGERS, CType, Types, parse_type, refusal
from tests.upkeep.declared import Declared

# A parameter of another type is likelier than one that is left out and one that is put in.
_LEFT_OUT = 1.0
_OTHER_TYPE = 0.9
_OTHER_NAME = 0.1
_ENDING = re.compile(r"(?:_(?:t|st|enum|v\d+))+$")
_PLAIN = frozenset({*INTEGERS, *FLOATS, FUNCTION, "void", "float2", "double2"})


@dataclass(frozen=True, slots=True)
class Renames:
    """What the types of CUDA's functions are called in a release of HIP, by our tables.

    ``tags`` are what the names of CUDA's structs and enumerations become; ``handles`` what a
    pointer to such a name becomes where that pointer has a name of its own (by the tag, and whether
    it points to const); ``numbers`` the pairs of a CUDA integer and of the HIP type of another kind
    that one of its names becomes (a texture object, a device address).
    """

    cuda: Types
    hip: Types
    tags: Mapping[str, tuple[CType, ...]]
    handles: Mapping[tuple[str, bool], tuple[CType, ...]]
    numbers: frozenset[tuple[str, CType]]

    def expected(self, written: str) -> tuple[CType, ...]:
        """The HIP types that a caller's variable of a CUDA type may have once it is renamed."""
        kind = self.cuda.resolve(written)
        outer = CType("", kind.consts, kind.own)
        found = [one.around(outer) for one in self.tags.get(kind.base, ())]
        if kind.depth:
            outer = CType("", kind.consts[1:], kind.own)
            handles = self.handles.get((kind.base, kind.consts[0]), ())
            if not handles and kind.consts[0]:
                handles = tuple(map(_to_const, self.handles.get((kind.base, False), ())))
            found += [one.around(outer) for one in handles]
        return tuple(found) or (kind,)

    def is_handle(self, kind: CType) -> bool:
        """Whether a CUDA type is a handle by value, and no pointer to a struct."""
        return kind.depth == 1 and (kind.base, kind.consts[0]) in self.handles

    def is_number(self, argument: CType, parameter: CType) -> bool:
        """Whether the tables turn a CUDA integer, or a pointer to one, into this HIP type."""
        depth = argument.depth
        if parameter.depth < depth:
            return False
        inner = CType(parameter.base, parameter.consts[: parameter.depth - depth])
        return any(
            argument.base == number and kind.base == inner.base and kind.depth == inner.depth
            for number, kind in self.numbers
        )


def _to_const(handle: CType) -> CType:
    return CType(handle.base, (True, *handle.consts[1:])) if handle.depth else handle


def _alike(argument: CType, parameter: CType) -> bool:
    """Whether a type that no table knows is spelt as HIP would spell it."""
    if argument.base in _PLAIN or argument.depth != parameter.depth:
        return False
    ours, theirs = (_ENDING.sub("", kind.base) for kind in (argument, parameter))
    folded = theirs.lower().replace("_", "")
    return folded in {expected_hip_name(ours), ours.lower().replace("_", "")}


def renames(
    pairs: Iterable[tuple[str, str]], own: Collection[str], cuda: Types, hip: Types
) -> Renames:
    """Read what the tables say of types, as pairs of a CUDA and a HIP name.

    A header's integer is any integer: only the library's ``own`` names of one turn it into
    something else.
    """
    tags: dict[str, tuple[CType, ...]] = {}
    handles: dict[tuple[str, bool], tuple[CType, ...]] = {}
    numbers = set()
    for ours, theirs in pairs:
        kind, becomes = cuda.resolve(ours), hip.resolve(theirs)
        if kind.base in INTEGERS or kind.base in {"void", "float", "double", FUNCTION}:
            if ours in own and not kind.depth and (becomes.depth or becomes.base not in INTEGERS):
                numbers.add((kind.base, becomes))
        elif kind.depth == 1:
            key = (kind.base, kind.consts[0])
            handles[key] = (*handles.get(key, ()), becomes)
        elif not kind.depth:
            tags[kind.base] = (*tags.get(kind.base, ()), becomes)
    return Renames(cuda, hip, tags, handles, frozenset(numbers))


def compare(cuda: Declared, hip: Declared, rename: Renames) -> list[str]:
    """The differences that a caller feels, in words; none where the call compiles as it is."""
    steps = _aligned(cuda, hip, rename)
    left_out = [_of(cuda, ours) for ours, theirs in steps if theirs is None and ours is not None]
    put_in = [_of(hip, theirs) for ours, theirs in steps if ours is None and theirs is not None]
    words: list[str] = []
    counts = f"({len(hip.parameters)} parameters, CUDA {len(cuda.parameters)})"
    if left_out:
        words.append(f"HIP takes no {_listed(left_out)} {counts}")
    if put_in:
        also = "also takes" if not left_out else "takes in addition"
        words.append(f"HIP {also} {_listed(put_in)} {counts}")
    for ours, theirs in steps:
        if ours is not None and theirs is not None:
            words += _difference(cuda, ours, hip, theirs, rename)
    return words + _result(cuda, hip, rename)


def _aligned(cuda: Declared, hip: Declared, rename: Renames) -> list[tuple[int | None, int | None]]:
    """Which parameter stands for which, at the least cost."""
    ours, theirs = len(cuda.parameters), len(hip.parameters)
    if ours == theirs and not any(
        _reason(one, other, hip.header, rename)
        for one, other in zip(cuda.parameters, hip.parameters, strict=True)
    ):
        return [(place, place) for place in range(ours)]
    best: list[list[tuple[float, tuple[int, int]]]] = [
        [(0.0, (0, 0))] * (theirs + 1) for _ in range(ours + 1)
    ]
    for i in range(ours + 1):
        for j in range(theirs + 1):
            ways = []
            if i and j:
                ways.append(
                    (best[i - 1][j - 1][0] + _cost(cuda, i - 1, hip, j - 1, rename), (1, 1))
                )
            if i:
                ways.append((best[i - 1][j][0] + _LEFT_OUT, (1, 0)))
            if j:
                ways.append((best[i][j - 1][0] + _LEFT_OUT, (0, 1)))
            if ways:
                best[i][j] = min(ways, key=lambda way: way[0])
    steps: list[tuple[int | None, int | None]] = []
    i, j = ours, theirs
    while i or j:
        back_i, back_j = best[i][j][1]
        steps.append((i - 1 if back_i else None, j - 1 if back_j else None))
        i, j = i - back_i, j - back_j
    return steps[::-1]


def _cost(cuda: Declared, ours: int, hip: Declared, theirs: int, rename: Renames) -> float:
    cost = 0.0
    if _reason(cuda.parameters[ours], hip.parameters[theirs], hip.header, rename):
        cost += _OTHER_TYPE
    elif (
        rename.cuda.resolve(cuda.parameters[ours]).depth
        != rename.hip.resolve(hip.parameters[theirs]).depth
    ):
        cost += _OTHER_NAME / 2
    same = _name(cuda, ours).lower().strip("_") == _name(hip, theirs).lower().strip("_")
    return cost + (0.0 if same else _OTHER_NAME)


def _reason(cuda: str, hip: str, header: str, rename: Renames) -> str:
    """Why a parameter does not take what CUDA's takes; "" where it does."""
    parameter, given = rename.hip.resolve(hip), rename.cuda.resolve(cuda)
    if rename.is_number(given, parameter):
        return ""
    wanted = rename.expected(cuda)
    if wanted == (given,) and _alike(given, parameter):
        wanted = (CType(parameter.base, given.consts),)
    reasons = {refusal(one, parameter, rename.hip.records) for one in wanted}
    if "" in reasons:
        # A handle that HIP takes as any address means an address, and no handle.
        lost = all(one.base != "void" and one.depth == 1 for one in wanted)
        return "kind" if lost and rename.is_handle(given) and parameter.base == "void" else ""
    if wanted == (given,) and given.base not in {*_PLAIN, parameter.base}:
        return "unknown"
    if "const" in reasons:
        return "const" if rename.hip.tells_const(header, hip) else ""
    return min(reasons)


def _difference(
    cuda: Declared, ours: int, hip: Declared, theirs: int, rename: Renames
) -> list[str]:
    given, taken = cuda.parameters[ours], hip.parameters[theirs]
    reason = _reason(given, taken, hip.header, rename)
    if not reason:
        return []
    name = _name(cuda, ours) or _name(hip, theirs)
    hip_type, cuda_type = _spelt(taken, rename.hip), _spelt(given, rename.cuda)
    what = f"`{name}`" if name else f"parameter {ours + 1}"
    if reason == "unknown":
        return [f"{what} is {hip_type}, and no row says what {cuda_type} becomes"]
    return [f"{what} is {hip_type}, CUDA's is {'const' if reason == 'const' else cuda_type}"]


def _result(cuda: Declared, hip: Declared, rename: Renames) -> list[str]:
    """The difference of the results: HIP's is given where CUDA's was taken."""
    given = rename.hip.resolve(hip.value)
    wanted = rename.expected(cuda.value)
    if any(not refusal(given, one, rename.hip.records) for one in wanted):
        return []
    returned = rename.cuda.resolve(cuda.value)
    if returned == CType("void") or rename.is_number(returned, given) or _alike(returned, given):
        return []
    return [f"HIP returns {_spelt(hip.value, rename.hip)}, CUDA {_spelt(cuda.value, rename.cuda)}"]


def _spelt(written: str, types: Types) -> str:
    """A type for a reader: as written, but for what stands behind an alias without a name."""
    kind = parse_type(written)
    return "a function" if types.resolve(written).base == FUNCTION else str(kind)


def _of(declared: Declared, place: int) -> str:
    name = _name(declared, place)
    kind = str(parse_type(declared.parameters[place]))
    return f"`{name}` ({kind})" if name else f"{kind} in place {place + 1}"


def _name(declared: Declared, place: int) -> str:
    names = declared.names
    return names[place] if place < len(names) else ""


def _listed(words: Collection[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
