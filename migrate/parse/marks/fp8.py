"""PyTorch's OCP fp8 type chosen for much code at once: an alias, a case of a dispatch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_TYPE = re.compile(rb"\bk?Float8_e4m3fn\b")
_OTHER = b"loat8_e4m3fnuz"
_BEFORE = 120
_ALIAS = re.compile(
    rb"(?:\busing\s+\w+\s*=\s*|\btypedef\s+|#\s*define\s+\w+\s+|\bconstexpr\s+auto\s+\w+\s*=\s*)"
    rb"(?:::)?(?:\w+::)*$"
)
_CASE = re.compile(rb"(?:\bcase\s+|\b[A-Z][A-Z0-9_]*_CASE\w*\s*\(\s*)(?:::)?(?:\w+::)*$")


def _find(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    if _OTHER in masked:
        return
    for match in _TYPE.finditer(masked):
        start = max(0, match.start() - _BEFORE)
        for form, word in ((_ALIAS, "alias"), (_CASE, "case")):
            if form.search(masked, start, match.start()) is not None:
                symbol = match[0].decode("ascii")
                yield FoundMark(MarkKind.FP8_CHOICE, *match.span(), symbol, (word,))


FINDER = Finder(_find, signs=(b"loat8_e4m3fn",), gpu_code=False)
