"""Fragments of matrix products with shape and type, and calls that speak of such products."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_PART = rb"\s*([\w:]{1,60})\s*"
_FRAGMENT = re.compile(
    rb"fragment\s*<\s*(?:\w{1,40}\s*::\s*){0,3}(matrix_a|matrix_b|accumulator)\s*,"
    + rb",".join([_PART] * 3)
    + rb",\s*((?:unsigned\s+|signed\s+)?[\w:]{1,80})\s*[,>]"
)


_PRODUCT = re.compile(rb"\w{0,60}(?:mma|ldmatrix|stmatrix|movmatrix|MMA)\w{0,60}")
_PARTS = (b"mma", b"MMA", b"ldmatrix", b"stmatrix", b"movmatrix")
_CALLED = re.compile(rb"\s*(?:<[^<>(){};]{0,100}>\s*)?\(")


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _fragments(text)
    masked = text.masked
    for start, name in text.places(text.like(_PRODUCT, *_PARTS)):
        end = start + len(name)
        if masked[start - 1 : start] not in {b".", b">"} and _CALLED.match(masked, end):
            yield FoundMark(MarkKind.MATRIX_CALL, start, end, name.decode("ascii"))


def _fragments(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_FRAGMENT, b"fragment"):
        parts = tuple(" ".join(part.decode("ascii").split()) for part in match.groups())
        yield FoundMark(
            MarkKind.WMMA_FRAGMENT,
            *match.span(),
            f"fragment<{', '.join(parts)}>",
            parts,
        )


FINDER = Finder(_find, signs=(b"fragment", *_PARTS))
