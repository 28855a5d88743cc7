"""Where an offset is for a reader: its line, its column in characters, and what is on the line."""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from itertools import accumulate

_LINE = re.compile(rb"[^\n]*+\n|[^\n]++\Z")
_CONTINUATION = bytes(range(0x80, 0xC0))
_STRIDE = 4096


def hash_of_line(line: bytes) -> int:
    """The CRC-32 of a line without its white space."""
    return zlib.crc32(b"".join(line.split()))


class LineIndex:
    """Turns byte offsets of one file into lines and columns, both from 1; columns count characters.

    Bytes that are no UTF-8 are read as one character each. What is asked again and again, the hash
    of a line and the characters before a far column, is kept: a line may be ten megabytes long.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = list(accumulate(map(len, _LINE.findall(data)), initial=0))
        if data and not data.endswith(b"\n"):
            self._starts.pop()
        self.utf8 = data.isascii() or _is_utf8(data)
        """Whether the bytes are UTF-8 text."""
        self._wide = self.utf8 and not data.isascii()
        self._hashes: dict[int, int] = {}
        self._marks: dict[int, list[int]] = {}

    def line(self, offset: int) -> int:
        """The line that an offset is on."""
        return bisect_right(self._starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        if not self._wide:
            return line, offset - start + 1
        passed, rest = divmod(offset - start, _STRIDE)
        marks = self._marks.get(line) or self._mark(line)
        return line, marks[passed] + _characters(self._data[offset - rest : offset]) + 1

    def _mark(self, line: int) -> list[int]:
        """The characters before every 4096th byte of a line."""
        start, end = self._span(line)
        marks = [0]
        for at in range(start, end, _STRIDE):
            marks.append(marks[-1] + _characters(self._data[at : at + _STRIDE]))
        self._marks[line] = marks
        return marks

    def line_hash(self, line: int) -> int:
        """The CRC-32 of a line without its white space."""
        known = self._hashes.get(line)
        if known is None:
            start, end = self._span(line)
            known = hash_of_line(self._data[start:end])
            self._hashes[line] = known
        return known

    def _span(self, line: int) -> tuple[int, int]:
        end = self._starts[line] if line < len(self._starts) else len(self._data)
        return self._starts[line - 1], end


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _characters(text: bytes) -> int:
    return len(text.translate(None, _CONTINUATION))
