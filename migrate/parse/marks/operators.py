"""A project's own operators on CUDA's vector and complex types."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_OPERATOR = re.compile(rb"\boperator\s*([-+*/%]=?|==|!=)\s*(?=\()")
_VECTOR = re.compile(
    r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
    r"|cu(?:Float|Double)?Complex|cufft(?:Double)?Complex"
)
_TYPE = re.compile(r"(?:const\s+)?(?:::\s*)?(\w+)((?:\s+const)?\s*&?)(?:\s*\w+)?")
_TWO = 2


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in _OPERATOR.finditer(masked):
        found = text.file.code.brackets.arguments(match.end())
        if found is None or len(found[0]) != _TWO:
            continue
        left, right = (_parameter(masked[start:end]) for start, end in found[0])
        if _is_vector(left) or _is_vector(right):
            sign = match[1].decode("ascii")
            symbol = f"operator{sign}"
            yield FoundMark(
                MarkKind.OWN_OPERATOR, match.start(), found[1], symbol, (sign, left, right)
            )


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
