"""C types in a form that two headers' spellings share, and which argument a parameter takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from tests.upkeep.declared import Declared

# Their width in bits on Linux.
INTEGERS = {
    "bool": 8, "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16,
    "int": 32, "unsigned int": 32, "long": 64, "unsigned long": 64, "long long": 64,
    "unsigned long long": 64,
}  # fmt: skip
FLOATS = {"__half": 16, "float": 32, "double": 64, "long double": 128}
FUNCTION = "function"
_SAME = {
    "_Bool": "bool", "bint": "bool", "unsigned": "unsigned int", "size_t": "unsigned long",
    "ssize_t": "long", "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short",
    "uint16_t": "unsigned short", "int32_t": "int", "uint32_t": "unsigned int", "int64_t": "long",
    "uint64_t": "unsigned long", "uintptr_t": "unsigned long", "long int": "long",
    "long unsigned int": "unsigned long", "short unsigned int": "unsigned short",
    "unsigned short int": "unsigned short", "unsigned long int": "unsigned long",
    "long long int": "long long", "unsigned long long int": "unsigned long long",
    "long long unsigned int": "unsigned long long", "signed int": "int", "short int": "short",
    "hipComplex": "float2", "hipFloatComplex": "float2", "hipDoubleComplex": "double2",
    "HIP_vector_type<float, 2>": "float2", "HIP_vector_type<double, 2>": "double2",
    "FILE": "_IO_FILE",
}  # fmt: skip
_TAGS = re.compile(r"\b(?:struct|enum|union|volatile|class) ")
_ARRAYS = re.compile(r"\s*((?:\[\w*\])+)$")
_POINTER_TO_ARRAY = re.compile(r"(.*?)\s*\(((?:\*|\[\])+)\)((?:\[\w*\])+)$")
_TOKEN = re.compile(r"\*|&|\bconst\b")
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class CType:
    """A type: its base, and for each pointer, from the base outwards, whether it points to const.

    ``own`` is whether the whole is const, which matters only where the name of the type is used to
    form another one.
    """

    base: str
    consts: tuple[bool, ...] = ()
    own: bool = False

    @property
    def depth(self) -> int:
        return len(self.consts)

    def around(self, outer: CType) -> CType:
        """``outer`` with this type in the place of its base."""
        if not outer.consts:
            return replace(self, own=self.own or outer.own)
        inner = self.own or outer.consts[0]
        return CType(self.base, (*self.consts, inner, *outer.consts[1:]), outer.own)

    def __str__(self) -> str:
        text = f"const {self.base}" if (self.consts or (self.own,))[0] else self.base
        for pointer_const in (*self.consts[1:], False)[: self.depth]:
            text += " *const" if pointer_const else " *"
        return text.replace("* *", "**")


def parse_type(written: str) -> CType:
    """The form of a type as it is written, with no name resolved."""
    text = _TAGS.sub("", f"{written} ").strip()
    if behind := _POINTER_TO_ARRAY.match(text):
        return CType(f"{behind[1]}{behind[3]}", (False,) * len(behind[2].replace("[]", "*")))
    if "(" in text:
        return CType(FUNCTION)
    array = _ARRAYS.search(text)
    if array:
        text = text[: array.start()]
    base, own = "", False
    consts: list[bool] = []
    place = 0
    for token in _TOKEN.finditer(text):
        base += text[place : token.start()]
        place = token.end()
        if token[0] == "const":
            own = True
        else:
            consts.append(own)
            own = False
    base = " ".join((base + text[place:]).split())
    if array:
        return CType(_SAME.get(base, base), (*consts, own))
    return CType(_SAME.get(base, base), tuple(consts), own)


class Types:
    """The names of types that a set of declarations knows, and what stands behind each.

    Older bindings drop the const of types with names of their own. Which sorts of types they do
    that to shows in that no parameter of that sort has one.
    """

    __slots__ = ("_aliases", "_known", "_telling", "records")

    def __init__(self, declared: Iterable[Declared]) -> None:
        self._aliases: dict[str, CType] = {}
        self._known: dict[str, CType] = {}
        self.records: set[str] = set()
        pointers: list[tuple[str, CType]] = []
        for one in declared:
            if one.kind == "type" and one.value:
                kind = parse_type(one.value)
                if kind.base != one.name:
                    self._aliases.setdefault(one.name, kind)
            elif one.kind == "member":
                self.records.add(one.name.rpartition("::")[0])
            elif one.kind == "function":
                kinds = map(parse_type, one.parameters)
                pointers += [(_package(one.header), kind) for kind in kinds if kind.consts]
        self.records |= {self.resolve(name).base for name in self.records}
        self._telling = {
            (package, self._sort(kind.base)) for package, kind in pointers if kind.consts[0]
        }

    def resolve(self, written: str) -> CType:
        """The form of a type with every alias followed."""
        if written not in self._known:
            kind = parse_type(written)
            for _ in range(_DEEPEST):
                if kind.base not in self._aliases:
                    break
                kind = self._aliases[kind.base].around(kind)
            self._known[written] = kind
        return self._known[written]

    def tells_const(self, header: str, written: str) -> bool:
        """Whether a const would stand before this type if the header had one."""
        return (_package(header), self._sort(parse_type(written).base)) in self._telling

    def _sort(self, base: str) -> str:
        if base in INTEGERS or base in FLOATS or base in {"void", FUNCTION}:
            return "built in"
        return "alias" if base in self._aliases else "own"


def _package(header: str) -> str:
    return header.partition("/")[0]


def refusal(argument: CType, parameter: CType, records: Collection[str]) -> str:
    """Why C++ does not take, or silently changes, an argument; "" where it takes it as it is."""
    if parameter.base == "void" and parameter.depth == 1 and argument.depth:
        return _const_refusal(argument, parameter)
    if argument.depth != parameter.depth:
        return "pointer" if 0 in {argument.depth, parameter.depth} else "kind"
    if not argument.depth:
        return _value_refusal(argument.base, parameter.base, records)
    return _const_refusal(argument, parameter) if argument.base == parameter.base else "kind"


def _const_refusal(argument: CType, parameter: CType) -> str:
    """Whether const is lost, or added deep inside, where C++ forbids it."""
    if argument.consts[-1] and not parameter.consts[-1]:
        return "const"
    if argument.depth != parameter.depth:
        return ""
    levels = list(zip(argument.consts, parameter.consts, strict=True))
    if any(given and not taken for given, taken in levels):
        return "const"
    added = [level for level, (given, taken) in enumerate(levels) if taken and not given]
    if added and not all(parameter.consts[min(added) + 1 :]):
        return "kind"
    return ""


def _value_refusal(argument: str, parameter: str, records: Collection[str]) -> str:
    if argument == parameter:
        return ""
    if argument in INTEGERS and parameter in INTEGERS:
        return "narrow" if INTEGERS[parameter] < INTEGERS[argument] else ""
    if argument in FLOATS and parameter in FLOATS:
        return "narrow" if FLOATS[parameter] < FLOATS[argument] else ""
    if parameter in INTEGERS and argument not in FLOATS and argument not in records:
        return "" if INTEGERS[parameter] >= INTEGERS["int"] else "narrow"  # an enumeration
    return "kind"
