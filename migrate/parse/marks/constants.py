"""Named integers that code for 32 lanes counts with: macros, constants, enumerators."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.directives import defined_macro
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_LITERAL = rb"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*"
_BODY = re.compile(rb"[\s\\(]*(-|~)?\s*" + _LITERAL + rb"[\s\\)]*")
_DECLARED = re.compile(
    rb"\b(?:constexpr|const|static)\s+(?:(?:constexpr|const|static|inline|__device__|__host__"
    rb"|unsigned|signed|long|short|std|::|__constant__)\s*)*(?:\w+\s+)??([A-Za-z_]\w*)\s*"
    rb"(?:=\s*|\{\s*)(-|~)?\s*" + _LITERAL + rb"\s*[;,}]"
)
_ENUMERATOR = re.compile(rb"[{,]\s*([A-Za-z_]\w*)\s*=\s*(-|~)?\s*" + _LITERAL + rb"\s*(?=[,}])")
_TELLING = re.compile(rb"(?i:warp|lane|wave|mask|full|shfl|sub_?group)")
_WORTH = frozenset({5, 31, 32, 0xFFFFFFFF, -1})
_MOST = 200
"""So many constants of a file are kept: more are a table of numbers."""


def _find(text: MarkText) -> Iterator[FoundMark]:
    found = sorted([*_macros(text), *_declared(text)], key=lambda mark: mark.start)
    yield from found[:_MOST]


def _macros(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for line in text.file.code.directives.of("define"):
        macro = defined_macro(masked, line)
        if macro is None or macro.function_like:
            continue
        body = _BODY.fullmatch(masked, macro.body, line.end)
        if body is not None:
            yield from _mark(macro.start, macro.name.encode(), body[1], body[2], "macro")


def _declared(text: MarkText) -> Iterator[FoundMark]:
    for kind, form in (("constant", _DECLARED), ("enum", _ENUMERATOR)):
        if kind == "enum" and b"enum" not in text.masked:
            continue
        for match in form.finditer(text.masked):
            if text.file.code.directives.at(match.start(1)) is None:
                yield from _mark(match.start(1), match[1], match[2], match[3], kind)


def _mark(
    start: int, name: bytes, sign: bytes | None, digits: bytes, kind: str
) -> Iterator[FoundMark]:
    value = read_integer(digits)
    if value is None:
        return
    value = {b"-": -value, b"~": ~value}.get(sign or b"", value)
    if value in _WORTH or (_TELLING.search(name) and 0 <= value <= 1 << 64):
        symbol = name.decode("ascii")
        yield FoundMark(MarkKind.CONSTANT, start, start + len(name), symbol, (str(value), kind))


def read_integer(digits: bytes) -> int | None:
    """The value of an integer literal without its suffix; None for none."""
    text = digits.replace(b"'", b"").decode("ascii").rstrip("uUlLzZ")
    try:
        if len(text) > 1 and text[0] == "0" and text.isdigit():
            return int(text, 8)
        return int(text, 0)
    except ValueError:
        return None


FINDER = Finder(_find, signs=(b"WARP", b"Warp", b"warp", b"MASK", b"LANE"), gpu_code=False)
