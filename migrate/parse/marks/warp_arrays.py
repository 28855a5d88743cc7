"""Shared arrays with an entry for each warp, and who reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_SHARED = re.compile(
    rb"__shared__\s+(?:[A-Za-z_][\w:]*(?:\s*<[^<>;{}]{0,60}>)?[\s*]+){1,4}([A-Za-z_]\w*)\s*"
    rb"\[([^\[\];{}]{1,80})\]"
)
_DIVIDED = re.compile(rb"/\s*\(?\s*([A-Za-z_]\w*|32)\s*\)?\s*$")
_WARP_INDEX = (
    rb"(?:w(?:arp)?_?(?:id|idx|num|index)\w*|wid|warp"
    rb"|(?:tid|threadIdx\s*\.\s*x)\s*(?:/\s*\w+|>>\s*5))"
)
_LANE_INDEX = rb"(?:lane(?:_?(?:id|idx|index))?|lid|my_?lane)"
_BACK = 160


def _find(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_SHARED, b"__shared__"):
        scope = text.function_at(match.start())
        if scope is None:
            continue
        name, extent = match[1], match[2]
        divided = _DIVIDED.search(extent)
        if divided is not None:
            values = (tidy(extent), divided[1].decode("ascii"))
            yield FoundMark(MarkKind.WARP_ARRAY, *match.span(1), name.decode("ascii"), values)
        yield from _unguarded_reads(text, name, (match.end(), scope.end))


def _unguarded_reads(text: MarkText, name: bytes, span: tuple[int, int]) -> Iterator[FoundMark]:
    """Reads by lane of an array written by warp, where nothing asks whether there is an entry."""
    masked = text.masked
    written = re.compile(rb"\b" + name + rb"\s*\[\s*" + _WARP_INDEX + rb"\s*\]\s*=(?!=)")
    if written.search(masked, *span) is None:
        return
    read = re.compile(rb"\b" + name + rb"\s*\[\s*" + _LANE_INDEX + rb"\s*\](?!\s*[-+*/|&^]?=(?!=))")
    for match in read.finditer(masked, *span):
        before = masked[max(span[0], match.start() - _BACK) : match.start()]
        statement = re.split(rb"[;{}]", before)[-1]
        if b"<" not in statement and b"?" not in statement and not _in_guard(before):
            symbol = tidy(match[0])
            yield FoundMark(MarkKind.WARP_READ, *match.span(), symbol, (name.decode("ascii"),))


def _in_guard(before: bytes) -> bool:
    """Whether the block that a statement is in starts with a comparison of lanes or warps."""
    opened = re.search(rb"\bif\s*\([^{}]*<[^{}]*\)\s*\{[^{}]*$", before)
    return opened is not None


FINDER = Finder(_find, signs=(b"__shared__",))
