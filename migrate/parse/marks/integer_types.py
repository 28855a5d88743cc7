"""How many bits an integer expression has, by the declarations around it."""

from __future__ import annotations

import re

from migrate.parse.marks.finder import MarkText
from migrate.parse.scopes import Scope

WIDE = (
    rb"(?:unsigned\s+|signed\s+)?long\s+long(?:\s+(?:unsigned\s+)?int)?|(?:unsigned\s+)?long"
    rb"(?:\s+(?:unsigned|int))?|(?:std\s*::\s*)?(?:u?int64_t|size_t)|ulong|u?longlong|uint64|u64"
    rb"|unsigned\s+__int64|lane_mask(?:_t)?|hip_lane_mask_t"
)
NARROW = (
    rb"unsigned\s+int|unsigned|signed\s+int|int\s+unsigned|int|uint|(?:std\s*::\s*)?u?int(?:32|16|8)"
    rb"_t|uint32|u32|unsigned\s+short|unsigned\s+char"
)
_TYPE_BEFORE = re.compile(
    rb"(?:^|[^\w:])(?:(" + WIDE + rb")|(" + NARROW + rb")|(auto))(?:\s+const)?\s*&?\s*$"
)
_BEFORE_NAME = frozenset({b" ", b"\t", b"\n", b"&"})
_BACK = 60
_AFTER = re.compile(rb"\s*(?:[=,;)({\[:]|$)")
_CAST = re.compile(
    rb"\s*(?:static_cast\s*<\s*(?:const\s+)?(?:(" + WIDE + rb")|(" + NARROW + rb"))\s*>\s*\("
    rb"|\(\s*(?:(" + WIDE + rb")|(" + NARROW + rb"))\s*\)"
    rb"|(?:(" + WIDE + rb")|(" + NARROW + rb"))\s*\()"
)
_TOKEN = re.compile(rb"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)([uUlLzZ]*)|[A-Za-z_]\w*|<<|>>")
_MASKS_OF_64 = re.compile(
    rb"\b(?:__ballot(?:_sync)?|__activemask|__match_(?:any|all)(?:_sync)?|__lanemask_\w+)\s*\("
)
_OTHER_CALL = re.compile(rb"[A-Za-z_]\w*\s*(?:<[^<>()]*>\s*)?\(|\.|->|\[|::|\?")
_GIVEN = re.compile(rb"\s*(?:=|\{|\()\s*(\d+|[A-Za-z_]\w*)[uU]?\s*[;,})]")
_LONGEST = 200
_OUTSIDE = 6000
"""So far in front of a lambda the declarations of what it captures are looked for."""
_MOST_SEEN = 200


def declared_bits(text: MarkText, name: bytes, before: int) -> int:
    """The bits of an integer variable or parameter of the function around a place.

    0 for a type that is no integer, that is not known, or where nothing declares the name.
    """
    place = declaration(text, name, before)
    return place[1] if place else 0


def declaration(text: MarkText, name: bytes, before: int) -> tuple[int, int] | None:
    """Where the function around a place declares a name, and the bits of its integer type."""
    scope = text.function_at(before)
    if scope is None:
        return None
    start = max(0, scope.start - _OUTSIDE) if scope.is_lambda else scope.start
    masked, at = text.masked, before
    for _ in range(_MOST_SEEN):
        at = masked.rfind(name, start, at)
        if at < 0:
            return None
        found = _declared_at(text, at, at + len(name), before)
        if found:
            return at, found
    return None


def _declared_at(text: MarkText, start: int, end: int, before: int) -> int:
    masked = text.masked
    if _AFTER.match(masked, end) is None or masked[start - 1 : start] not in _BEFORE_NAME:
        return 0
    match = _TYPE_BEFORE.search(masked, max(0, start - _BACK), start)
    if match is None:
        return 0
    if match[1] or match[2]:
        return 64 if match[1] else 32
    value = masked.find(b"=", end, end + 4)
    stop = masked.find(b";", end, before)
    if value < 0 or stop < 0:
        return 0
    return expression_bits(text, value + 1, stop, names=False)


def expression_bits(text: MarkText, start: int, end: int, *, names: bool = True) -> int:
    """The bits of the type of an integer expression by C's rules; 0 where that is not known.

    ``names``: whether the declarations of the names in it may be looked for.
    """
    written = text.masked[start:end]
    if len(written) > _LONGEST:
        return 0
    if _MASKS_OF_64.search(written):
        return 64
    cast = _CAST.match(written)
    if cast is not None and _whole(written, cast):
        return 64 if cast[1] or cast[3] or cast[5] else 32
    if _OTHER_CALL.search(_CAST.sub(b"(", written)):
        return 0
    return _bits_of_tokens(text, start, end, names=names)


def _whole(written: bytes, cast: re.Match[bytes]) -> bool:
    """Whether a cast at the start of an expression is a cast of all of it."""
    if cast[3] or cast[4]:
        return re.fullmatch(rb"[-~]?\s*[\w.']+|\(.*\)", written[cast.end() :].strip()) is not None
    depth = 1
    for number, letter in enumerate(written[cast.end() :]):
        depth += (letter == ord("(")) - (letter == ord(")"))
        if depth == 0:
            return not written[cast.end() + number + 1 :].strip(b" \t\n\\)")
    return True


def _bits_of_tokens(text: MarkText, start: int, end: int, *, names: bool) -> int:
    bits, skipped = 0, False
    for match in _TOKEN.finditer(text.masked, start, end):
        token = match[0]
        if token in {b"<<", b">>"}:
            skipped = True  # what is shifted gives the type, not by how much
            continue
        if skipped:
            skipped = False
            continue
        if match[1]:
            found = literal_bits(match[1], match[2])
        else:
            found = _bits_of_name(text, token, start) if names else 0
        if not found:
            return 0
        bits = max(bits, found)
    return bits


def _bits_of_name(text: MarkText, token: bytes, before: int) -> int:
    if re.fullmatch(WIDE, token):
        return 64
    return 32 if re.fullmatch(NARROW, token) else declared_bits(text, token, before)


def literal_bits(digits: bytes, suffix: bytes) -> int:
    """The bits of an integer literal: 64 with a long suffix or where it needs more than 32."""
    if b"l" in suffix.lower():
        return 64
    plain = digits.replace(b"'", b"")
    try:
        value = int(plain, 0)
    except ValueError:
        value = 0
    return 64 if value > 0xFFFFFFFF else 32  # noqa: PLR2004 - 32 bits


def constant_text(text: MarkText, name: bytes, at: int) -> bytes:
    """What a name in an expression is worth as far as the file tells: a number, or a name.

    The function's own declaration goes before others; b"" where the value comes from a call, or
    from a parameter.
    """
    if name[:1].isdigit():
        return name
    place = declaration(text, name, at)
    if place is not None:
        given = _GIVEN.match(text.masked, place[0] + len(name))
        return given[1] if given else b""
    computed = re.search(
        rb"\b" + name + rb"\s*(?:=|\{)\s*[A-Za-z_][\w:]*(?:<[^<>;]{0,40}>)?\s*\(", text.masked
    )
    return b"" if computed else name


def returned_bits(text: MarkText, scope: Scope) -> int:
    """The bits of the integer type that a function returns; 0 for another type."""
    head = text.masked[scope.start : scope.body]
    name = scope.name.rpartition("::")[2].encode("utf-8", "replace")
    at = head.find(name + b"(")
    at = at if at >= 0 else head.find(name + b" (")
    if scope.is_lambda or at < 0:
        return 0
    match = _TYPE_BEFORE.search(head, max(0, at - _BACK), at)
    if match is None or match[3]:
        return 0
    return 64 if match[1] else 32
