"""Calls of the C library in a file that leaves its header to the compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_STRING = re.compile(rb"mem(?:cpy|set|move|cmp)|str(?:len|n?cmp|n?cpy|n?cat|r?chr|str|tok|error)")
_CALLED = re.compile(rb"\s*\(")
_INCLUDED = (b"<cstring>", b"<string.h>")


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    if any(header in masked for header in _INCLUDED):
        return
    seen = set()
    for start, word in text.places(_STRING):
        end = start + len(word)
        if word not in seen and _CALLED.match(masked, end) and _is_call(text, start):
            seen.add(word)
            yield FoundMark(MarkKind.LIBRARY_CALL, start, end, word.decode("ascii"))


def _is_call(text: MarkText, start: int) -> bool:
    """Whether a name is the C library's own and is called there, not declared."""
    code = text.file.code
    before = code.token_before(start)
    if before == b"::":
        return code.qualifier_before(start) == b"std" or code.is_free(start)
    declared = before[-1:].isalnum() and before != b"return"
    return code.is_free(start) and not declared and text.scopes.in_body(start)


FINDER = Finder(_find, signs=(b"memcpy", b"memset", b"memmove", b"memcmp", b"str"))
