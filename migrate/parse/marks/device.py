"""What device code does that the table of names cannot tell: heap, recursion, indirect calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.scopes import Scope

_CALLS = (
    (b"malloc", re.compile(rb"malloc\s*\(")),
    (b"clock", re.compile(rb"clock\s*\(\s*\)")),
    (b"new", re.compile(rb"new\s+(?=[A-Za-z_:])")),
)
"""Each begins with its word, so that text without it costs little."""
_OPENING = re.compile(rb"\s*\(")
_JOINED = re.compile(rb"[\w.>:]")
"""What stands before a word that is a part of another one, or a member."""
_BEFORE_NEW = re.compile(rb"(?:operator|#\s*\w+)\s*$")
_VIRTUAL = re.compile(
    rb"\bvirtual\b([^;{}()]{0,200})\(|\b__device__\b[^;{}()]{0,80}\bvirtual\b([^;{}()]{0,200})\("
)
_LAST_NAME = re.compile(rb"(~?[A-Za-z_]\w*|operator\s*\S{1,3})\s*$")
_POINTER = re.compile(
    rb"__(?:device|constant)__\b[^;{}()=]{0,120}\(\s*\*\s*(?:const\s+)?([A-Za-z_]\w*)"
    rb"\s*(?:\[[^\]\n]*\]\s*)?\)\s*\("
)
_POINTER_TYPE = re.compile(
    rb"typedef\b[^;{}()]{0,120}\(\s*\*\s*([A-Za-z_]\w*)\s*\)\s*\("
    rb"|using\s+([A-Za-z_]\w*)\s*=[^;{}()]{0,120}\(\s*\*\s*\)\s*\("
)
_OF_TYPE = re.compile(
    rb"__(?:device|constant)__\s+(?:(?:static|const|constexpr|__device__|__managed__)\s+)*"
    rb"([A-Za-z_]\w*)(?:\s*<[^<>;{}()]*>)?\s+(?:const\s+)?[A-Za-z_]\w*\s*(?=[\[=;])"
)
_EXTERN = re.compile(
    rb"extern\s+(?:\"[^\"\n]*\"\s+)?(?:[A-Za-z_]\w*\s+){0,3}?__(?:device|constant)__\b"
    rb"[^;{}()\[=]{0,200}(?=[\[(;])"
)
_EXTERN_END = re.compile(rb"[;{}]")
_LONGEST_PROTOTYPE = 1500
_UNROLLED = re.compile(rb"\b(?:template|constexpr|consteval)\b")
"""Words of functions that may call themselves while they are compiled."""
_MOST = 400
"""So many marks of one kind are kept in a file."""
_MOST_TYPES = 50


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _calls(text)
    yield from _recursions(text)
    yield from _virtuals(text)
    yield from _pointers(text)
    yield from _externs(text)


def _on_device(scope: Scope | None) -> bool:
    return scope is not None and scope.side is Side.DEVICE


def _calls(text: MarkText) -> Iterator[FoundMark]:
    for word, form in _CALLS:
        kept = 0
        for match in text.matches(form, word):
            start = match.start()
            if _is_joined(text.masked, start) or _before(text.masked, start, _BEFORE_NEW):
                continue
            if not _on_device(text.function_at(start)):
                continue
            yield FoundMark(MarkKind.DEVICE_CALL, *match.span(), word.decode("ascii"))
            kept += 1
            if kept == _MOST:
                break


def _is_joined(masked: bytes, start: int) -> bool:
    return start > 0 and _JOINED.match(masked, start - 1) is not None


def _before(masked: bytes, start: int, form: re.Pattern[bytes]) -> bool:
    return form.search(masked, max(0, start - 40), start) is not None


def _recursions(text: MarkText) -> Iterator[FoundMark]:
    """Calls of plain functions by themselves; a name with overloads or templates tells nothing."""
    scopes = [scope for scope in text.scopes.scopes if not scope.is_lambda]
    named = Counter(scope.name.rpartition("::")[2] for scope in scopes)
    reach = 0
    for scope in scopes:
        name = scope.name.rpartition("::")[2]
        nested, reach = scope.start < reach, max(reach, scope.end)
        if nested or scope.side not in {Side.DEVICE, Side.BOTH} or named[name] > 1:
            continue
        head = text.masked[max(0, scope.start - 200) : scope.body]
        before = head[: scope.start - max(0, scope.start - 200)]
        if _UNROLLED.search(head, len(before)) or before.rstrip().endswith(b">"):
            continue
        if not name.isidentifier():
            continue
        yield from _self_calls(text, scope, name)


def _self_calls(text: MarkText, scope: Scope, name: str) -> Iterator[FoundMark]:
    parameters = _arity(text, text.masked.find(b"(", scope.start, scope.body))
    for start, opening in _calls_of(text.masked, name.encode(), scope):
        arguments = text.file.code.brackets.arguments(opening)
        if arguments is None or len(arguments[0]) != parameters:
            continue
        written = [text.masked[start:end] for start, end in arguments[0]]
        if not written or not all(_OF_ANOTHER_TYPE.search(argument) for argument in written):
            yield FoundMark(MarkKind.RECURSION, start, opening + 1, name)


def _calls_of(masked: bytes, name: bytes, scope: Scope) -> Iterator[tuple[int, int]]:
    """Where a function's body calls a plain name: the name and the bracket behind it."""
    at = masked.find(name, scope.body, scope.end)
    while at >= 0:
        end = at + len(name)
        opening = _OPENING.match(masked, end)
        if opening is not None and not _is_joined(masked, at):
            yield at, opening.end() - 1
        at = masked.find(name, end, scope.end)


_OF_ANOTHER_TYPE = re.compile(
    rb"[.>]\s*(?:[xyzwrgb]|lo|hi|real|imag)\b|\bmake_\w+\s*\(|^\s*\(\s*[\w:]+\s*\)|_cast\s*<"
    rb"|^\s*(?:float|double|int|unsigned|long|half|__half|\w+_t)\s*[({]|\b__\w+2\w+"
)
"""Arguments of what is an overload for a part of a vector, not the function itself."""


def _arity(text: MarkText, opening: int) -> int:
    arguments = text.file.code.brackets.arguments(opening) if opening >= 0 else None
    return len(arguments[0]) if arguments else -1


def _virtuals(text: MarkText) -> Iterator[FoundMark]:
    if b"virtual" not in text.words:
        return
    for match in _VIRTUAL.finditer(text.masked):
        head = match[1] if match[1] is not None else match[2]
        if b"__device__" not in match[0] and not _before(text.masked, match.start(), _QUALIFIED):
            continue
        name = _LAST_NAME.search(head)
        if name is not None and not name[1].startswith((b"~", b"operator*", b"operator[")):
            # A class that templates refuse types with has operators of an array that stay pure.
            symbol = "".join(name[1].decode("ascii", "replace").split())
            start = max(0, match.start() - 40)
            both = _ON_HOST_TOO.search(text.masked, start, match.end()) is not None
            values = ("both",) if both else ()
            yield FoundMark(MarkKind.DEVICE_VIRTUAL, *match.span(), symbol, values)


_ON_HOST_TOO = re.compile(rb"__host__\s*(?:__device__\b|virtual\b)|__device__\s*__host__\b")
_QUALIFIED = re.compile(rb"__device__\s*(?:__host__\s*)?$")


def _pointers(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    if b"(*" not in masked:
        return
    for match in _POINTER.finditer(masked):
        yield FoundMark(MarkKind.DEVICE_POINTER, *match.span(), match[1].decode("ascii"))
    matches = text.matches(_POINTER_TYPE, b"typedef", b"using")
    types = {match[1] or match[2] for match in islice(matches, _MOST_TYPES)}
    if not types:
        return
    for match in text.matches(_OF_TYPE, b"__device__", b"__constant__"):
        if match[1] in types:
            yield FoundMark(MarkKind.DEVICE_POINTER, *match.span(), match[1].decode("ascii"))
    word = re.compile(rb"\b(" + b"|".join(sorted(map(re.escape, types))) + rb")\b")
    for scope in text.scopes.scopes:
        if scope.side is not Side.DEVICE or scope.is_lambda:
            continue
        found = word.search(masked, masked.find(b"(", scope.start, scope.body), scope.body)
        if found is not None:
            yield FoundMark(MarkKind.DEVICE_POINTER, *found.span(), found[1].decode("ascii"))


def _externs(text: MarkText) -> Iterator[FoundMark]:
    if b"extern" not in text.words:
        return
    for match in _EXTERN.finditer(text.masked):
        start = match.start()
        if _is_joined(text.masked, start) or text.function_at(start) is not None:
            # A function nobody defines, declared in a function, is how templates refuse a type.
            continue
        end = _EXTERN_END.search(text.masked, match.end(), match.end() + _LONGEST_PROTOTYPE)
        name = _LAST_NAME.search(match[0])
        if name is None or name[1].startswith(b"__nv"):
            continue
        if end is not None and end[0] == b";":
            symbol = name[1].decode("ascii", "replace")
            yield FoundMark(MarkKind.EXTERN_DEVICE, match.start(), match.end(), symbol)


FINDER = Finder(_find, signs=(b"__device__", b"__global__"))
