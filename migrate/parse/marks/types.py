"""What types variables have where the overloads that HIP offers depend on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.scopes import Scope

_HALF = rb"(?:__)?(?:half2?|nv_bfloat162?)"
_EARLIER = rb"(?:[A-Za-z_]\w*\s*(?:\[[^\[\];]{0,80}\]\s*)?(?:=[^,;(){}]{0,80})?,\s*){0,20}"
_BRACED = re.compile(rb"=\s*\{")
_ASSIGNED = re.compile(rb"(?<![\w.>:&*])([A-Za-z_]\w*)\s*(?:\[[^\[\]\n]{1,80}\]\s*)?$")
_CALL = re.compile(rb"(__ffs|__ffsll|__ldg)\s*\(")
_NAME = re.compile(rb"\s*([A-Za-z_]\w*)\s*(\[[^\[\]]{1,80}\]\s*)?")
_CAST = re.compile(
    rb"\s*(?:\(\s*([A-Za-z_][\w:\s]*?\s*\**)\s*\)|(?:static|reinterpret)_cast\s*<([^<>()]{1,80})>)"
    rb"\s*[\w(&.]"
)
_INTEGER = (
    rb"(?:std::)?(?:u?int(?:8|16|32|64)_t|size_t)|(?:unsigned|signed)(?:\s+(?:int|long|short|char))*"
    rb"|(?:long|short)(?:\s+(?:unsigned|int|long))*|int|__nv_bfloat162?|nv_bfloat162?|u?int|ulong"
)
_SIZED = re.compile(rb"\b((?:const\s+)?(?:" + _INTEGER + rb"))\s*([*&\s]*)(?:__restrict__\s*)?$")
_BACK = 100
_BEFORE = 160
_FARTHEST = 6_000
"""So far before a place its variable's declaration is looked for."""
_MOST = 100
"""So many places of a file are looked at."""


def _find_braces(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in islice(_BRACED.finditer(masked), _MOST):
        assigned = _ASSIGNED.search(masked, max(0, match.start() - _BEFORE), match.start())
        start = assigned.start() if assigned else 0
        scope = text.function_at(start)
        if assigned is None or scope is None or not _begins_statement(masked, start):
            continue
        found = text.file.code.brackets.arguments(match.end() - 1)
        declared = _half_type(masked, scope, assigned[1], start)
        if declared and found is not None:
            name = assigned[1].decode("ascii")
            inside = " ".join(masked[match.end() : found[1] - 1].decode("latin-1").split())
            yield FoundMark(MarkKind.BRACE_ASSIGNMENT, start, found[1], name, (declared, inside))


def _begins_statement(masked: bytes, at: int) -> bool:
    before = masked[max(0, at - _BACK) : at].rstrip()
    return before[-1:] in {b";", b"{", b"}", b")", b":"}


def _half_type(masked: bytes, scope: Scope, name: bytes, before: int) -> str:
    """The half type that a function declares a variable with; "" for none."""
    form = re.compile(rb"\b(" + _HALF + rb")\s+" + _EARLIER + name + rb"\b")
    match = form.search(masked, max(scope.start, before - _FARTHEST), before)
    return match[1].decode("ascii") if match else ""


def _find_arguments(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in islice(text.matches(_CALL, b"__ffs", b"__ffsll", b"__ldg"), _MOST):
        found = text.file.code.brackets.arguments(match.end() - 1)
        if found is None or len(found[0]) != 1:
            continue
        start, end = found[0][0]
        argument = masked[start:end]
        typed = _type_of(text, argument, match.start())
        if typed:
            symbol = match[1].decode("ascii")
            written = " ".join(argument.decode("latin-1").split())
            yield FoundMark(MarkKind.TYPED_ARGUMENT, *match.span(1), symbol, (written, typed))


def _type_of(text: MarkText, argument: bytes, before: int) -> str:
    cast = _CAST.match(argument)
    if cast is not None:
        return " ".join((cast[1] or cast[2]).decode("latin-1").split())
    name = _NAME.fullmatch(argument)
    scope = text.function_at(before)
    if name is None or scope is None:
        return ""
    found = ""
    start = max(scope.start, before - _FARTHEST)
    word = re.compile(rb"\b" + name[1] + rb"\b(?!\s*[(.])")
    for match in word.finditer(text.masked, start, before):
        at = match.start()
        declared = _SIZED.search(text.masked, max(start, at - _BACK), at)
        if declared is not None:
            stars = b"" if name[2] else declared[2]
            found = " ".join((declared[1] + stars).decode("latin-1").split())
    return found


BRACES = Finder(_find_braces, signs=(b"half2", b"bfloat162"))
ARGUMENTS = Finder(_find_arguments, signs=(b"__ffs", b"__ldg"))
FINDERS = (BRACES, ARGUMENTS)
