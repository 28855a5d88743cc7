"""Named sizes of shared memory, as macros and constants give them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from migrate.model.mark import MarkKind
from migrate.parse.directives import defined_macro
from migrate.parse.marks.constants import read_integer
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_NUMBER = rb"(?:0[xX][0-9a-fA-F']+|\d[\d']*)[uUlLzZ]{0,3}"
_PRODUCT = rb"(" + _NUMBER + rb"(?:\s{0,9}\*\s{0,9}" + _NUMBER + rb"){0,3})"
_BODY = re.compile(rb"[\s\\(]{0,20}" + _PRODUCT + rb"[\s\\)]{0,20}")
_DECLARED = re.compile(rb"\b(?:constexpr|const|static)\s[^;{}()=\n]{0,80}$")
_VALUE = re.compile(rb"\s*=\s*\(?\s*" + _PRODUCT + rb"\s*\)?\s*;")
_BEFORE = 100
_TELLING = (b"smem", b"shmem", b"sh_mem", b"shared", b"lds")
_LEAST = 16 * 1024


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for start, name in text.places(text.with_part(*_TELLING, any_case=True)):
        line = text.file.code.directives.at(start)
        macro = defined_macro(masked, line) if line and line.word == "define" else None
        if line and macro and macro.start == start:
            body = _BODY.fullmatch(masked, macro.body, line.end)
            if body is not None and not macro.function_like:
                yield from _mark(start, name, body[1], "macro")
            continue
        value = _VALUE.match(masked, start + len(name))
        if value and _DECLARED.search(masked, max(0, start - _BEFORE), start):
            yield from _mark(start, name, value[1], "constant")


def _mark(start: int, name: bytes, product: bytes, kind: str) -> Iterator[FoundMark]:
    factors = [read_integer(factor.strip()) for factor in product.split(b"*")]
    if None in factors:
        return
    value = prod(factor for factor in factors if factor is not None)
    if _LEAST <= value < 1 << 40:
        symbol = name.decode("ascii")
        yield FoundMark(MarkKind.CONSTANT, start, start + len(name), symbol, (str(value), kind, ""))


FINDER = Finder(
    _find,
    signs=(b"smem", b"Smem", b"SMEM", b"hared", b"SHARED", b"shmem", b"SHMEM", b"LDS"),
    gpu_code=False,
)
