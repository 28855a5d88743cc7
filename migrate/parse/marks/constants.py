"""Named integers that code for 32 lanes counts with: macros, constants, enumerators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrate.model.mark import MarkKind
from migrate.parse.directives import defined_macro
from migrate.parse.marks.finder import Finder, FoundMark, MarkText, word_start

_LITERAL = rb"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)([uUlLzZ]*)"
_BODY = re.compile(rb"[\s\\(]*(-|~)?\s*" + _LITERAL + rb"[\s\\)]*")
_DECLARED = re.compile(
    rb"(?:constexpr|const|static)\s+(?:(?:constexpr|const|static|inline|__device__|__host__"
    rb"|unsigned|signed|long|short|std|::|__constant__)\s*)*(?:\w+\s+)??([A-Za-z_]\w*)\s*"
    rb"(?:=\s*|\{\s*)(-|~)?\s*" + _LITERAL + rb"\s*[;,}]"
)
_ENUMERATOR = re.compile(rb"[{,]\s*([A-Za-z_]\w*)\s*=\s*(-|~)?\s*" + _LITERAL + rb"\s*(?=[,}])")
_TEMPLATE_DEFAULT = re.compile(
    rb"\b(?:int|unsigned|u?int32_t|size_t|auto)\s+(\w*(?:WARP|[Ww]arp)\w*)\s*=\s*()"
    + _LITERAL
    + rb"\s*(?=[,>])"
)
_FUNCTION = re.compile(
    rb"((?:warp_?size|[wW]arp_?Size|WARP_?SIZE)\w*)\s*\(\s*(?:void\s*)?\)\s*(?:const\s*)?(?:noexcept\s*)?\{\s*"
    rb"return\s+()" + _LITERAL + rb"\s*;\s*\}"
)
_ALIAS = re.compile(
    rb"(?:constexpr|const)\s+(?:\w+\s+){0,3}?([A-Za-z_]\w*)\s*(?:=\s*|\{\s*)"
    rb"([A-Za-z_](?:\w|::)*)\s*[;}]"
)
_ALIAS_BODY = re.compile(rb"[\s\\(]*([A-Za-z_]\w*)[\s\\)]*")
_WARP_SIZE = re.compile(rb"(?i:warp_?size|threads_?per_?warp|warp_?threads|lanes)")
_WIDE = re.compile(rb"\b(?:long|u?int64_t|size_t|ulong|uint64|u64)\b")
_NARROW = re.compile(rb"\b(?:int|unsigned|u?int32_t|uint|u32)\b")
_TELLING = re.compile(rb"(?i:warp|lane|wave|mask|full|shfl|sub_?group)")
_FORMS = (
    ("constant", _DECLARED),
    ("enum", _ENUMERATOR),
    ("template", _TEMPLATE_DEFAULT),
    ("function", _FUNCTION),
)
_SIGN_OF_FORM = {
    "constant": b"const",
    "enum": b"enum",
    "template": b"template",
    "function": b"return 32",
}
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
        name = macro.name.encode()
        body = _BODY.fullmatch(masked, macro.body, line.end)
        if body is not None:
            yield from _mark(macro.start, name, body.groups(), "macro", b"")
            continue
        other = _ALIAS_BODY.fullmatch(masked, macro.body, line.end)
        if other is not None and _WARP_SIZE.search(name):
            yield _alias(macro.start, name, other[1])


def _declared(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for kind, form in _FORMS:
        if not text.has(_SIGN_OF_FORM[kind]):
            continue
        matches = form.finditer(masked)
        if kind == "constant":
            matches = _matches_at(form, masked, text.places_of(b"constexpr", b"const", b"static"))
        for match in matches:
            start = word_start(masked, match.start(1))
            if text.file.code.directives.at(start) is None:
                name, declared = masked[start : match.end(1)], masked[match.start() : start]
                yield from _mark(start, name, match.groups()[1:], kind, declared)
    for match in _matches_at(_ALIAS, masked, text.places_of(b"constexpr", b"const")):
        if _WARP_SIZE.search(match[1]) and _WARP_SIZE.search(match[2]):
            yield _alias(match.start(1), match[1], match[2])


def _matches_at(
    form: re.Pattern[bytes], masked: bytes, places: list[int]
) -> Iterator[re.Match[bytes]]:
    """The matches of a form that begins with one of some words, at the words' places."""
    behind = 0
    for start in places:
        match = form.match(masked, start) if start >= behind else None
        if match is not None:
            behind = match.end()
            yield match


def _alias(start: int, name: bytes, other: bytes) -> FoundMark:
    of = other.rpartition(b"::")[2].decode("ascii")
    symbol = name.decode("ascii")
    return FoundMark(MarkKind.CONSTANT_ALIAS, start, start + len(name), symbol, (of,))


def _mark(
    start: int, name: bytes, literal: Sequence[bytes | None], kind: str, declared: bytes
) -> Iterator[FoundMark]:
    sign, digits, suffix = literal
    value = read_integer(digits or b"")
    if value is None:
        return
    wide = b"l" in (suffix or b"").lower()
    if sign:
        value = -value if sign == b"-" else (1 << 64) - 1 - value if wide else ~value
    if value in _WORTH or (_TELLING.search(name) and 0 <= value <= 1 << 64):
        symbol = name.decode("ascii")
        bits = "64" if wide or _WIDE.search(declared) else "32" if _NARROW.search(declared) else ""
        end = start + len(name)
        yield FoundMark(MarkKind.CONSTANT, start, end, symbol, (str(value), kind, bits))


def read_integer(digits: bytes) -> int | None:
    """The value of an integer literal without its suffix; None for none."""
    text = digits.replace(b"'", b"").decode("ascii").rstrip("uUlLzZ")
    try:
        if len(text) > 1 and text[0] == "0" and text.isdigit():
            return int(text, 8)
        return int(text, 0)
    except ValueError:
        return None


FINDER = Finder(_find, signs=(b"WARP", b"Warp", b"warp", b"MASK", b"Mask", b"LANE"), gpu_code=False)
