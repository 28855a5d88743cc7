"""A command as one string split into its words, the way the shell or the system would split it."""

from __future__ import annotations

import re

# Every repetition is possessive, so that no input makes the matching go back and forth.
_POSIX_WORD = re.compile(
    r"""(?:[^ \t\r\n"'\\]++|'[^']*+'|"(?:[^"\\]++|\\.)*+"|\\.)++|["'\\]""", re.DOTALL
)
_POSIX_QUOTED = re.compile(r"""'([^']*+)'|"((?:[^"\\]++|\\.)*+)"|\\(.)""", re.DOTALL)
_POSIX_ESCAPE = re.compile(r'\\(["\\])')
_STRAY = frozenset("\"'\\")

_SLASHES = r"""(?:\\\\)*+\\"|(?:\\\\)++(?=")|\\++"""
_WINDOWS_WORD = re.compile(rf"""(?:[^ \t\r\n"\\]++|{_SLASHES}|"(?:[^"\\]++|{_SLASHES})*+"?)++""")
_WINDOWS_QUOTED = re.compile(r'(\\++)("?)|"')
_DRIVE = re.compile(r'"?(?:[A-Za-z]:[\\/]|\\\\)')
_PROGRAM = re.compile(r'[^\s"]{1,1000}?\.exe\b|"[^"]{1,1000}?\.exe"', re.IGNORECASE)


def split_command(text: str, *, windows: bool = False) -> list[str]:
    """Split a command into words.

    Posix quoting is that of :func:`shlex.split`, Windows' that of its C runtime: there a backslash
    stands for itself but before a double quote.

    Raises:
        ValueError: a quotation is not closed, or nothing follows a backslash.
    """
    if windows:
        return [_WINDOWS_QUOTED.sub(_windows_quote, word) for word in _WINDOWS_WORD.findall(text)]
    words: list[str] = _POSIX_WORD.findall(text)
    if '"' not in text and "'" not in text and "\\" not in text:
        return words
    if not _STRAY.isdisjoint(words):
        raise ValueError("a quotation is not closed")
    return [
        _POSIX_QUOTED.sub(_posix_quote, word)
        if '"' in word or "'" in word or "\\" in word
        else word
        for word in words
    ]


def is_windows_command(text: str) -> bool:
    """Whether a command or path is written for Windows: a drive, a share or a program ``.exe``."""
    return bool(_DRIVE.match(text) or _PROGRAM.match(text))


def _posix_quote(match: re.Match[str]) -> str:
    single, double, escaped = match.groups()
    if double is not None:
        return _POSIX_ESCAPE.sub(r"\1", double)
    return single if single is not None else escaped


def _windows_quote(match: re.Match[str]) -> str:
    """Half of the backslashes before a quote stay; an odd one makes the quote a plain character."""
    slashes, quote = match.groups()
    if slashes is None:
        return ""
    half, odd = divmod(len(slashes), 2)
    return "\\" * half + '"' * odd if quote else slashes
