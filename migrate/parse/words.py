"""The words of a masked text, and the places at which some of them stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_WORD = re.compile(rb"[A-Za-z_]\w*")
WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_WORDS_ONLY = bytes(code if code in WORD_BYTES else 32 for code in range(256))
_FEW = 40
"""Up to so many words, looking for each by itself is faster than one walk over all words."""


def words_of(masked: bytes) -> set[bytes]:
    """The distinct words of a text, numbers among them."""
    return set(masked.translate(_WORDS_ONLY).split())


def find_words(masked: bytes, wanted: Collection[bytes]) -> Iterator[tuple[int, bytes]]:
    """The offsets at which wanted words stand as whole words."""
    if len(wanted) <= _FEW:
        for word in wanted:
            for start in _occurrences(masked, word):
                yield start, word
        return
    for match in _WORD.finditer(masked):
        word = match[0]
        if word in wanted and (match.start() == 0 or masked[match.start() - 1] not in WORD_BYTES):
            yield match.start(), word


def _occurrences(text: bytes, word: bytes) -> Iterator[int]:
    size = len(word)
    at = text.find(word)
    while at >= 0:
        end = at + size
        if (at == 0 or text[at - 1] not in WORD_BYTES) and (
            end == len(text) or text[end] not in WORD_BYTES
        ):
            yield at
        at = text.find(word, end)
