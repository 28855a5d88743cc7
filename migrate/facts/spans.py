"""Spans of lines, one in another: which of them is the innermost around a line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable


class Spans:
    """Finds the innermost of many spans, however deep they are nested, in a step or two.

    Args:
        spans: first and last line of each, with a number of the caller's.
    """

    def __init__(self, spans: Iterable[tuple[int, int, int]]) -> None:
        self._lines: list[int] = []
        self._numbers: list[int | None] = []
        self._open: list[tuple[int, int]] = []
        for first, last, number in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
            self._close(first)
            self._open.append((last, number))
            self._mark(first, number)
        self._close(None)

    def around(self, line: int) -> int | None:
        """The number of the innermost span around a line; None where there is none."""
        at = bisect_right(self._lines, line)
        return self._numbers[at - 1] if at else None

    def _close(self, line: int | None) -> None:
        """Close the spans that end before a line; None closes all."""
        while self._open and (line is None or self._open[-1][0] < line):
            last, _ = self._open.pop()
            while self._open and self._open[-1][0] <= last:
                self._open.pop()
            self._mark(last + 1, self._open[-1][1] if self._open else None)

    def _mark(self, line: int, number: int | None) -> None:
        self._lines.append(line)
        self._numbers.append(number)
