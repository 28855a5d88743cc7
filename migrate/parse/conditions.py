"""What a preprocessor condition is worth in a CUDA build and in a HIP build: true, false, open."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from migrate.parse.macros import HIP_KINDS, NO_HIP_KINDS, MacroKind, ProjectMacros, macro_kind

__all__ = [
    "ProjectMacros",
    "World",
    "evaluate",
    "explained_by_tree",
    "hip_by_name",
    "hip_macros",
    "is_platform_switch",
]

_NAME = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%<>!~&|^?:(),])|(?P<other>\S))"
)
_LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_BINARY = {operator: level for level, group in enumerate(_LEVELS, 1) for operator in group.split()}
_WIDTH = 64
_PLATFORM_KINDS = HIP_KINDS | {MacroKind.CUDA_OPTION, MacroKind.OTHER_PLATFORM}


class World(Enum):
    """The build in which a condition is read."""

    CUDA = "cuda"
    HIP = "hip"


@lru_cache(maxsize=16384)
def evaluate(
    condition: str, world: World, project: ProjectMacros, *, cuda_options_off: bool
) -> bool | None:
    """Evaluate a condition in one build; ``None`` where it depends on what is not known.

    ``cuda_options_off`` says that a HIP build does not set the project's CUDA switches.
    """
    parser = _Parser(condition, world, project, cuda_options_off=cuda_options_off)
    try:
        value = parser.expression(0)
    except (_UnreadableError, RecursionError):
        return None
    return None if value is None else bool(value)


@lru_cache(maxsize=16384)
def hip_macros(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition by which the project tells HIP builds from others."""
    kinds = {*HIP_KINDS, MacroKind.CUDA_GUARD, MacroKind.ALWAYS_HIP}
    names = _NAME.findall(condition)
    return frozenset(name for name in names if macro_kind(name, project) in kinds)


@lru_cache(maxsize=16384)
def explained_by_tree(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition that the rest of the tree may explain."""
    kinds = {MacroKind.NEUTRAL, MacroKind.CUDA}
    names = frozenset(_NAME.findall(condition)) - {"defined"}
    return frozenset(name for name in names if macro_kind(name, project) in kinds)


@lru_cache(maxsize=16384)
def hip_by_name(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition that some HIP builds and no CUDA build define, by their name."""
    names = _NAME.findall(condition)
    return frozenset(name for name in names if macro_kind(name, project) is MacroKind.HIP)


@lru_cache(maxsize=16384)
def is_platform_switch(condition: str, project: ProjectMacros) -> bool:
    """Whether a condition asks which platform is built for: CUDA, HIP or a third."""
    names = _NAME.findall(condition)
    return any(macro_kind(name, project) in _PLATFORM_KINDS for name in names)


_VALUE_NOT_KNOWN = frozenset({MacroKind.HIP_VERSION, MacroKind.ALWAYS_HIP})
_ON_IN_HIP = frozenset({MacroKind.HIP_PLATFORM, MacroKind.HIP_VERSION, MacroKind.ALWAYS_HIP})


class _UnreadableError(Exception):
    """The condition is no expression this reader knows."""


class _Parser:
    """Precedence climbing over the tokens of one condition."""

    def __init__(
        self, text: str, world: World, project: ProjectMacros, *, cuda_options_off: bool
    ) -> None:
        self._tokens = [
            (match.lastgroup or "", match[match.lastgroup or 0]) for match in _TOKEN.finditer(text)
        ]
        self._at = 0
        self._world = world
        self._project = project
        self._options_off = cuda_options_off

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise _UnreadableError
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _expect(self, text: str) -> None:
        if self._next()[1] != text:
            raise _UnreadableError

    def expression(self, lowest: int) -> int | None:
        """Read an expression of operators that bind tighter than ``lowest``."""
        left = self._unary()
        while (level := _BINARY.get(self._peek(), 0)) > lowest:
            operator = self._next()[1]
            left = _apply(operator, left, self.expression(level))
        if lowest == 0 and self._peek() == "?":
            left = self._ternary(left)
        return left

    def _ternary(self, condition: int | None) -> int | None:
        self._next()
        then = self.expression(0)
        self._expect(":")
        otherwise = self.expression(0)
        if condition is None:
            return then if then == otherwise else None
        return then if condition else otherwise

    def _unary(self) -> int | None:
        kind, text = self._next()
        if kind == "number":
            return _number(text)
        if kind == "name":
            return self._defined() if text == "defined" else self._macro(text)
        if text == "(":
            value = self.expression(0)
            self._expect(")")
            return value
        if text in {"!", "-", "+", "~"}:
            return _negate(text, self._unary())
        raise _UnreadableError

    def _defined(self) -> int | None:
        kind, text = self._next()
        if text == "(":
            kind, text = self._next()
            self._expect(")")
        if kind != "name":
            raise _UnreadableError
        return self._known(text)

    def _macro(self, name: str) -> int | None:
        if self._peek() == "(":
            self._skip_arguments()
            return 0 if self._known(name) == 0 else None
        known = self._known(name)
        if known == 1 and macro_kind(name, self._project) in _VALUE_NOT_KNOWN:
            return None
        return {"true": 1, "false": 0}.get(name, known)

    def _skip_arguments(self) -> None:
        depth = 0
        while True:
            text = self._next()[1]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return

    def _known(self, name: str) -> int | None:
        """1 or 0 where the build settles whether ``name`` is defined, else None."""
        kind = macro_kind(name, self._project)
        if kind is MacroKind.OTHER_PLATFORM:
            return 0
        if self._world is World.CUDA:
            return 0 if kind in HIP_KINDS else None
        if kind in NO_HIP_KINDS or (kind is MacroKind.CUDA_OPTION and self._options_off):
            return 0
        return 1 if kind in _ON_IN_HIP else None


def _number(text: str) -> int:
    digits = text.replace("'", "")
    octal = digits[:1] == "0" and digits.isdigit()
    try:
        return _wrap(int(digits, 8 if octal else 0))
    except ValueError:
        raise _UnreadableError from None


def _wrap(value: int) -> int:
    """Bring a value to intmax_t's 64 bits."""
    value &= (1 << _WIDTH) - 1
    return value - (1 << _WIDTH) if value >> (_WIDTH - 1) else value


def _negate(operator: str, value: int | None) -> int | None:
    if value is None:
        return None
    return _wrap({"!": int(not value), "-": -value, "+": value, "~": ~value}[operator])


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if operator in {"&&", "||"}:
        return _logic(operator, left, right)
    if left is None or right is None:
        return None
    if operator in {"/", "%"} and right == 0:
        raise _UnreadableError
    if operator in {"<<", ">>"} and not 0 <= right < _WIDTH:
        raise _UnreadableError
    return _wrap(int(_PLAIN[operator](left, right)))


def _logic(operator: str, left: int | None, right: int | None) -> int | None:
    """``&&`` and ``||`` with an open side: the other side may settle it."""
    values = {None if value is None else bool(value) for value in (left, right)}
    settling = operator == "||"
    if settling in values:
        return int(settling)
    return None if None in values else int(not settling)


_PLAIN = {
    "|": int.__or__,
    "^": int.__xor__,
    "&": int.__and__,
    "==": int.__eq__,
    "!=": int.__ne__,
    "<": int.__lt__,
    ">": int.__gt__,
    "<=": int.__le__,
    ">=": int.__ge__,
    "<<": int.__lshift__,
    ">>": int.__rshift__,
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": int.__floordiv__,
    "%": int.__mod__,
}
