"""Arithmetic that takes a thread's index apart into a lane and a warp of 32."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_ARITHMETIC = re.compile(
    rb"(threadIdx\s*\.\s*x|\b[A-Za-z_]\w*)\s*(&|%|/|>>)\s*"
    rb"(0x1[fF]|31|32|5|[A-Za-z_]\w*)\b[uUlL]*(?!\s*[.(\[]|->|::|\s*<)"
)


def _find(text: MarkText) -> Iterator[FoundMark]:
    for match in _ARITHMETIC.finditer(text.masked):
        scope = text.function_at(match.start())
        if scope is None or scope.side not in {Side.DEVICE, Side.BOTH}:
            continue
        left, operator, right = (part.decode("ascii") for part in match.groups())
        left = "".join(left.split())
        symbol = f"{left} {operator} {right}"
        yield FoundMark(MarkKind.LANE_ARITHMETIC, *match.span(), symbol, (left, operator, right))


FINDER = Finder(_find, signs=(b"threadIdx",))
