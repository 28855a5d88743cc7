"""Loops of host code that have CUDA in them."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_TOKEN = re.compile(rb"\b(?:for|while|do)\b|[(){};]")
_CUDA = re.compile(rb"cu(?:da)?[A-Z]")
_COUNTER = re.compile(
    rb"\s*\(\s*(?:[A-Za-z_][\w:]*(?:<[^<>();]{0,80}>)?[\s&*]+)*?([A-Za-z_]\w*)\s*(?:=|\{|:(?!:))"
)
_TIMED = re.compile(rb"[Tt]imer|TIMER|chrono|[Ee]lapsed|get_?[Tt]ime|[Cc]lock\b|\btime\s*\(")
_LAUNCH = re.compile(rb"<<<")
_MOST = 500
_LONGEST = 4_000
"""So much of a loop is looked at for a clock."""


class _Loop(NamedTuple):
    """Where a loop begins: its keyword, and behind the keyword."""

    start: int
    behind: int


class _Open(NamedTuple):
    """A bracket that is open; ``body``: the loop whose body it is, ``head``: whose head.

    A body without braces is open as ``s``.
    """

    token: bytes
    head: _Loop | None = None
    body: _Loop | None = None


@dataclass(slots=True)
class _Walk:
    """Goes through a file's brackets once and notes where the body of each loop ends."""

    open: list[_Open] = field(default_factory=list)
    keyword: _Loop | None = None
    """A ``for`` or ``while`` whose head comes next."""
    body: _Loop | None = None
    """A loop whose body comes next."""
    ended: list[tuple[_Loop, int]] = field(default_factory=list)

    def take(self, token: bytes, start: int, end: int) -> None:
        """Take the next token in."""
        if token in b"(){};":
            {
                b"(": self._opened,
                b")": self._closed,
                b"{": self._opened,
                b"}": self._block_ended,
            }.get(token, self._statement_ended)(token, end)
            return
        self._begin_statement()
        if token == b"do":
            self.body = _Loop(start, end)
        else:
            self.keyword = _Loop(start, end)

    def _begin_statement(self) -> None:
        if self.body is not None:
            self.open.append(_Open(b"s", body=self.body))
            self.body = None

    def _opened(self, token: bytes, _end: int) -> None:
        if token == b"(":
            if self.keyword is None:
                self._begin_statement()
            self.open.append(_Open(b"(", head=self.keyword))
        else:
            self.open.append(_Open(b"{", body=self.body))
            self.body = None
        self.keyword = None

    def _closed(self, _token: bytes, _end: int) -> None:
        if self.open and self.open[-1].token == b"(":
            head = self.open.pop().head
            if head is not None:
                self.body = head

    def _block_ended(self, _token: bytes, end: int) -> None:
        self.body = self.keyword = None
        while self.open:
            last = self.open.pop()
            self._end_of(last, end)
            if last.token == b"{":
                break
        self._end_statements(end)

    def _statement_ended(self, _token: bytes, end: int) -> None:
        if self.open and self.open[-1].token == b"(":
            return
        if self.body is not None:
            self.body = None
        self._end_statements(end)

    def _end_statements(self, end: int) -> None:
        while self.open and self.open[-1].token == b"s":
            self._end_of(self.open.pop(), end)

    def _end_of(self, opened: _Open, end: int) -> None:
        if opened.body is not None:
            self.ended.append((opened.body, end))


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    places = [match.start() for form in (_CUDA, _LAUNCH) for match in form.finditer(masked)]
    cuda = sorted(places)
    for loop, end in islice(_loops_around(text, cuda), _MOST):
        keyword = masked[loop.start : loop.behind]
        counter = _COUNTER.match(masked, loop.behind, loop.behind + 200)
        counts = counter[1].decode("ascii") if counter and keyword == b"for" else ""
        timed = (
            "timed" if _TIMED.search(masked, loop.start, min(end, loop.start + _LONGEST)) else ""
        )
        yield FoundMark(MarkKind.LOOP, loop.start, end, keyword.decode("ascii"), (counts, timed))


def _loops_around(text: MarkText, cuda: list[int]) -> Iterator[tuple[_Loop, int]]:
    """The loops of host functions that have one of the places in them."""
    keywords = [start for start, _ in text.places((b"for", b"while", b"do"))]
    reach = 0
    for scope in text.scopes.scopes:
        if scope.start < reach or scope.side is not Side.HOST:
            continue
        reach = scope.end
        first = _first_from(keywords, scope.body)
        if first >= scope.end or _first_from(cuda, first) >= scope.end:
            continue
        walk = _Walk()
        for match in _TOKEN.finditer(text.masked, first, scope.end):
            walk.take(match[0], *match.span())
        for loop, end in sorted(walk.ended):
            if _first_from(cuda, loop.start) < end:
                yield loop, end


def _first_from(places: list[int], start: int) -> int:
    """The first of some places that is not before another; one behind all code for none."""
    first = bisect_left(places, start)
    return places[first] if first < len(places) else sys.maxsize


FINDER = Finder(_find, signs=(b" for ", b" while ", b" do "))
