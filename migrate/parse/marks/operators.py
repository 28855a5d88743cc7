"""A project's own operators on CUDA's vector and complex types."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.heads import is_macro
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_OPERATOR = re.compile(rb"operator\s*([-+*/%]=?|==|!=)\s*(?=\()")
_VECTOR = re.compile(
    r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
    r"|cu(?:Float|Double)?Complex|cufft(?:Double)?Complex"
)
_TYPE = re.compile(r"(?:const\s+)?(?:::\s*)?(\w+)((?:\s+const)?\s*&?)(?:\s*\w+)?")
_NUMBERS = frozenset(
    {"float", "double", "int", "unsigned", "uint", "char", "uchar", "short", "ushort", "long",
     "ulong", "real", "scalar_t", "T", "size_t", "uint32_t", "uint64_t", "int64_t", "int32_t"}
)  # fmt: skip
"""What goes with a vector into an operator that HIP has too: a number, whatever its name."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LONGEST_HEAD = 500
_TWO = 2


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in text.matches(_OPERATOR, b"operator"):
        found = text.file.code.brackets.arguments(match.end())
        if found is None or len(found[0]) != _TWO:
            continue
        left, right = (_parameter(masked[start:end]) for start, end in found[0])
        vectors = _is_vector(left) + _is_vector(right)
        if vectors == _TWO or (vectors and _NUMBERS & {left.rstrip("&"), right.rstrip("&")}):
            sign = match[1].decode("ascii")
            values = (sign, left, right, _side(text, match.start()))
            yield FoundMark(
                MarkKind.OWN_OPERATOR, match.start(), found[1], f"operator{sign}", values
            )


def _side(text: MarkText, offset: int) -> str:
    """Where an operator runs: ``both``, ``device``, ``host``, or "" where a macro may say it."""
    scope = text.function_at(offset)
    if scope is None:
        return ""
    qualifiers = _WORD.findall(text.masked[max(scope.start, offset - _LONGEST_HEAD) : offset])
    if scope.side is Side.HOST and any(is_macro(word.decode("ascii")) for word in qualifiers):
        return ""
    return scope.side.name.lower()


def _parameter(text: bytes) -> str:
    """The type of a parameter without ``const``; a ``&`` stays where it is to be changed."""
    words = " ".join(text.decode("latin-1").split())
    match = _TYPE.fullmatch(words)
    if match is None:
        return ""
    constant = words.startswith("const ") or "const" in match[2]
    return match[1] + ("&" if "&" in match[2] and not constant else "")


def _is_vector(parameter: str) -> bool:
    return _VECTOR.fullmatch(parameter.rstrip("&")) is not None


FINDER = Finder(_find, signs=(b"operator",))
