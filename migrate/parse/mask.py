"""Which bytes of a C-family file are code: comments and literals are blanked, places kept."""

from __future__ import annotations

import re

# Quantifiers are possessive (no way back), and what is not closed reaches to the end of its line or
# of the file, as compilers read it: both keep the time linear whatever the input.
_COMMENT_OR_LITERAL = re.compile(
    rb"//[^\n]*+(?:(?:(?<=\\)|(?<=\\\r))\n[^\n]*+)*+"
    rb"|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)"
    rb'|"(?:(?<=\bR")|(?<=\b[LUu]R")|(?<=\bu8R"))(?P<delimiter>[^()\\\s"]{0,16})\('
    rb'(?:[^)]++|\)(?!(?P=delimiter)"))*+(?:\)(?P=delimiter)"|\Z)'
    rb'|"[^"\\\n]*+(?:\\(?:\r\n|[\s\S]|\Z)[^"\\\n]*+)*+(?:"|$|\Z)'
    # A quote behind a digit parts digits (1'000), unless the word is a literal's prefix or `case`.
    rb"|'(?:(?<![0-9A-Fa-f]')|(?<=\bu8')|(?<=\bcase'))"
    rb"[^'\\\n]*+(?:\\(?:\r\n|[\s\S]|\Z)[^'\\\n]*+)*+(?:'|$|\Z)",
    re.MULTILINE,
)
_NOT_NEWLINE = re.compile(rb"[^\n]")
_NO_CODE = b" \t\r\f\v\\"


def mask_comments_and_literals(data: bytes) -> bytes:
    """Blank comments and the inside of string and character literals with spaces.

    Length and line breaks stay, so an offset in the result is an offset in ``data``. The quotes of
    a literal stay too. An unterminated block comment reaches to the end, an unterminated literal to
    the end of its line.
    """
    return _COMMENT_OR_LITERAL.sub(_blank, data)


def _blank(match: re.Match[bytes]) -> bytes:
    text = match[0]
    blank = b" " * len(text) if b"\n" not in text else _NOT_NEWLINE.sub(b" ", text)
    quote = text[:1]
    if quote == b"/" or len(text) == 1 or not text.endswith(quote):
        return blank
    return quote + blank[1:-1] + quote


def count_code_lines(masked: bytes) -> int:
    """Count the lines that hold more than white space once comments are gone."""
    return len(masked.translate(None, _NO_CODE).split())


def decode_source(data: bytes) -> bytes:
    """Bring UTF-16 and byte-order marks to plain UTF-8; other bytes are left as they are."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data.removeprefix(b"\xef\xbb\xbf")
