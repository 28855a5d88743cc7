"""Which bytes of a C-family file are code: comments and literals are blanked, places kept."""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from dataclasses import dataclass

_COMMENT_OR_LITERAL = re.compile(
    rb"//[^\n]*(?:(?<=\\)\n[^\n]*|(?<=\\\r)\n[^\n]*)*"
    rb"|/\*[\s\S]*?(?:\*/|\Z)"
    rb'|R"(?P<delimiter>[^()\\\s"]{0,16})\([\s\S]*?\)(?P=delimiter)"'
    rb'|"(?:[^"\\\n]|\\[\s\S])*"'
    rb"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\[\s\S])*'"
)
_NOT_NEWLINE = re.compile(rb"[^\n]")
_CODE_LINE = re.compile(rb"^[^\S\n]*[^\s\\]", re.MULTILINE)


def mask_comments_and_literals(data: bytes) -> bytes:
    """Blank comments and the inside of string and character literals with spaces.

    Length and line breaks stay, so an offset in the result is an offset in ``data``. The quotes of a
    literal stay too. An unterminated block comment reaches to the end, as a compiler reads it.
    """
    return _COMMENT_OR_LITERAL.sub(_blank, data)


def _blank(match: re.Match[bytes]) -> bytes:
    text = match[0]
    if text.startswith(b"/"):
        return _spaces(text)
    quote = text[-1:]
    return quote + _spaces(text[1:-1]) + quote


def _spaces(text: bytes) -> bytes:
    if b"\n" in text:
        return _NOT_NEWLINE.sub(b" ", text)
    return b" " * len(text)


def count_code_lines(masked: bytes) -> int:
    """Count the lines that hold more than white space once comments are gone."""
    return len(_CODE_LINE.findall(masked))


def decode_source(data: bytes) -> bytes:
    """Bring UTF-16 and byte-order marks to plain UTF-8; other bytes are left as they are."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode("utf-8")
    return data.removeprefix(b"\xef\xbb\xbf")


@dataclass(frozen=True, slots=True)
class LineIndex:
    """Turns byte offsets of one file into lines and columns, both from 1; columns count characters."""

    data: bytes
    starts: list[int]
    ascii: bool
    encoding: str

    @classmethod
    def of(cls, data: bytes) -> LineIndex:
        """Index a file's line starts once."""
        starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        ascii_only = data.isascii()
        encoding = "utf-8"
        if not ascii_only:
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                encoding = "latin-1"
        return cls(data, starts, ascii_only, encoding)

    def line(self, offset: int) -> int:
        """The line that an offset is on."""
        return bisect_right(self.starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        line = bisect_right(self.starts, offset)
        start = self.starts[line - 1]
        if self.ascii:
            return line, offset - start + 1
        return line, len(self.data[start:offset].decode(self.encoding, "replace")) + 1

    def line_hash(self, line: int) -> int:
        """The CRC-32 of a line without its white space."""
        end = self.starts[line] if line < len(self.starts) else len(self.data)
        return zlib.crc32(b"".join(self.data[self.starts[line - 1] : end].split()))
