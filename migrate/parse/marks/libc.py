"""Calls of the C library in a file that leaves its header to the compiler."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_NAMES = (
    *(b"memcpy", b"memset", b"memmove", b"memcmp", b"strlen", b"strcmp", b"strncmp", b"strcpy"),
    *(b"strncpy", b"strcat", b"strncat", b"strchr", b"strrchr", b"strstr", b"strtok", b"strerror"),
)
_INCLUDED = (b"<cstring>", b"<string.h>")


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    names = text.words.intersection(_NAMES)
    if not names or any(header in masked for header in _INCLUDED):
        return
    seen = set()
    for start, word, _ in text.calls(names):
        if word not in seen and _is_call(text, start):
            seen.add(word)
            yield FoundMark(MarkKind.LIBRARY_CALL, start, start + len(word), word.decode("ascii"))


def _is_call(text: MarkText, start: int) -> bool:
    """Whether a name is the C library's own and is called there, not declared."""
    code = text.file.code
    before = code.token_before(start)
    if before == b"::":
        return code.qualifier_before(start) == b"std" or code.is_free(start)
    declared = before[-1:].isalnum() and before != b"return"
    return code.is_free(start) and not declared and text.scopes.in_body(start)


FINDER = Finder(_find, signs=_NAMES)
