"""CUDA's mathematical functions called in host code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.heads import is_macro
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.scopes import Scope

_NAME = re.compile(
    rb"rsqrtf?|rcbrtf?|(?:sin|cos|sincos)pif?|r?norm[34]df?|rhypotf?|normcdf(?:inv)?f?"
    rb"|erfc?invf?|erfcxf?|cyl_bessel_i[01]f?|fdividef"
)
_PARTS = (
    *(b"rsqrt", b"rcbrt", b"sinpi", b"cospi", b"norm", b"rhypot", b"inv", b"erfcx"),
    *(b"cyl_bessel", b"fdividef"),
)
_WORD = re.compile(rb"\b[A-Za-z_]\w*")
_HOST_WORDS = frozenset({b"__host__", b"__forceinline__", b"__inline__", b"__noinline__"})
_LONGEST_HEAD = 2000


def _find(text: MarkText) -> Iterator[FoundMark]:
    code = text.file.code
    for start, name, _ in text.calls(text.like(_NAME, *_PARTS)):
        scope = text.function_at(start)
        if scope is None or start < scope.body or not _on_host(text, scope):
            continue
        before = code.token_before(start)
        if code.is_free(start) and (before == b"return" or not before[-1:].isalnum()):
            yield FoundMark(MarkKind.HOST_MATH, start, start + len(name), name.decode("ascii"))


def _on_host(text: MarkText, scope: Scope) -> bool:
    """Whether a function is compiled for the host alone.

    A macro in its head may say otherwise, and ``constexpr`` functions are for both sides in clang.
    """
    if scope.side is not Side.HOST or scope.is_lambda:
        return False
    words = _WORD.findall(text.masked[max(scope.start, scope.body - _LONGEST_HEAD) : scope.body])
    return not any(
        word == b"constexpr"
        or is_macro(word.decode("ascii"))
        or (word.startswith(b"__") and word not in _HOST_WORDS)
        for word in words
    )


FINDER = Finder(_find, signs=_PARTS)
