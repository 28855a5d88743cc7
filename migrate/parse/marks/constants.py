"""Named integers that code for 32 lanes counts with: macros, constants, enumerators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText, word_start

_LITERAL = rb"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)([uUlLzZ]*)"
_BODY = re.compile(rb"[\s\\(]*(-|~)?\s*" + _LITERAL + rb"[\s\\)]*")
_DECLARED = re.compile(
    rb"(?:constexpr|const|static)\s+(?:(?:constexpr|const|static|inline|__device__|__host__"
    rb"|unsigned|signed|long|short|std|::|__constant__)\s*)*(?:\w+\s+)??([A-Za-z_]\w*)\s*"
    rb"(?:=\s*|\{\s*)(-|~)?\s*" + _LITERAL + rb"\s*[;,}]"
)
_ENUMERATED = re.compile(rb"=\s*(-|~)?\s*" + _LITERAL + rb"\s*(?=[,}])")
_ENUMERATOR = re.compile(rb"[{,]\s*([A-Za-z_]\w*)\s*\Z")
_DEFAULT = re.compile(rb"\s*=\s*()" + _LITERAL + rb"\s*(?=[,>])")
_PARAMETER = re.compile(rb"\b(?:int|unsigned|u?int32_t|size_t|auto)\s+\Z")
_BEFORE = 1000
"""So far in front of a value its name is looked for, behind long comments too."""
_FUNCTION = re.compile(
    rb"((?:warp_?size|[wW]arp_?Size|WARP_?SIZE)\w*)\s*\(\s*(?:void\s*)?\)\s*(?:const\s*)?(?:noexcept\s*)?\{\s*"
    rb"return\s+()" + _LITERAL + rb"\s*;\s*\}"
)
_ALIAS = re.compile(
    rb"(?:constexpr|const)\s+(?:\w+\s+){0,3}?([A-Za-z_]\w*)\s*(?:=\s*|\{\s*)"
    rb"([A-Za-z_](?:\w|::)*)\s*[;}]"
)
_ALIAS_BODY = re.compile(rb"[\s\\(]*([A-Za-z_]\w*)[\s\\)]*")
_SHIFTED = re.compile(
    rb"[\s\\(]*+1[uUlL]*+[\s\\)]*+<<[\s\\(]*+(?:(\d{1,2}+)|([A-Za-z_]\w*+)[\s\\]*+(?:\([^()]*+\))?)"
    rb"[\s\\)]*+"
)
"""``1 << 5``, or the logarithm by its name, as ``(1 << LOG_WARP_THREADS(arch))``."""
_WARP_SIZE = re.compile(rb"(?i:warp_?size|threads_?per_?warp|warp_?threads|lanes)")
_WIDE = re.compile(rb"\b(?:long|u?int64_t|size_t|ulong|uint64|u64)\b")
_NARROW = re.compile(rb"\b(?:int|unsigned|u?int32_t|uint|u32)\b")
_TELLING = re.compile(rb"(?i:warp|lane|wave|mask|full|shfl|sub_?group)")
_WORTH = frozenset({5, 31, 32, 0xFFFFFFFF, -1})
_MOST_BITS = 64
_MOST = 200
"""So many constants of a file are kept: more are a table of numbers."""


def _find(text: MarkText) -> Iterator[FoundMark]:
    found = sorted(
        [*_macros(text), *_declared(text), *_template_defaults(text)], key=lambda mark: mark.start
    )
    yield from found[:_MOST]


def _macros(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    literals: dict[bytes, bytes] = {}
    for line, macro in text.file.code.macros:
        name, start = macro.name.encode(), macro.body
        says_warp = _WARP_SIZE.search(name) is not None
        if macro.function_like:
            # ``WARP_THREADS(arch)``: what depends on no parameter is a constant with brackets.
            start = masked.find(b")", macro.body, line.end) + 1
        if not start or (macro.function_like and not says_warp):
            continue
        body = _BODY.fullmatch(masked, start, line.end)
        if body is not None:
            literals[name] = body[2]
            yield from _mark(macro.start, name, body.groups(), "macro", b"")
            continue
        if not says_warp:
            continue
        shifted = _SHIFTED.fullmatch(masked, start, line.end)
        other = _ALIAS_BODY.fullmatch(masked, start, line.end)
        if shifted is not None:
            digits = _power(shifted[1] or literals.get(shifted[2], b""))
            yield from _mark(macro.start, name, (None, digits, b""), "macro", b"")
        elif other is not None and not macro.function_like:
            yield _alias(macro.start, name, other[1])


def _power(logarithm: bytes) -> bytes:
    """The digits of a power of two whose logarithm is given; none for one out of reach."""
    value = read_integer(logarithm)
    return str(1 << value).encode() if value is not None and value <= _MOST_BITS else b""


def _declared(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for kind, name, literal in _literals(text):
        start = word_start(masked, name.start(1))
        if text.file.code.directives.at(start) is None:
            declared = masked[name.start() : start]
            yield from _mark(start, masked[start : name.end(1)], literal, kind, declared)
    if _WARP_SIZE.search(text.vocabulary) is None:
        return
    for match in text.matches(_ALIAS, b"constexpr", b"const"):
        if _WARP_SIZE.search(match[1]) and _WARP_SIZE.search(match[2]):
            yield _alias(match.start(1), match[1], match[2])


_Literal = tuple[bytes | None, ...]


def _literals(text: MarkText) -> Iterator[tuple[str, re.Match[bytes], _Literal]]:
    """What gives names to literals: its kind, the name with what stands before it, the literal."""
    masked = text.masked
    for match in text.matches(_DECLARED, b"constexpr", b"const", b"static"):
        yield "constant", match, match.groups()[1:]
    if text.has(b"enum"):
        for value in _ENUMERATED.finditer(masked):
            name = _ENUMERATOR.search(masked, max(0, value.start() - _BEFORE), value.start())
            if name is not None:
                yield "enum", name, value.groups()
    if b"return 32" in masked:
        for match in _FUNCTION.finditer(masked):
            yield "function", match, match.groups()[1:]


def _template_defaults(text: MarkText) -> Iterator[FoundMark]:
    """The values that template parameters with a warp's name have where none is given."""
    if not text.has(b"template"):
        return
    for start, name in text.places(text.with_part(b"WARP", b"Warp", b"warp")):
        value = _DEFAULT.match(text.masked, start + len(name))
        before = max(0, start - _BEFORE)
        declared = _PARAMETER.search(text.masked, before, start) if value else None
        if value and declared and text.file.code.directives.at(start) is None:
            yield from _mark(start, name, value.groups(), "template", declared[0])


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
