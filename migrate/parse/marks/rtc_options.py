"""Options in string literals that choose the GPU for NVRTC."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_OPTION = re.compile(rb'"(--gpu-architecture|-arch)(?:(=[\w%{}]{0,40})|(?="))')
_MOST = 50


def _find(text: MarkText) -> Iterator[FoundMark]:
    for number, match in enumerate(_OPTION.finditer(text.file.data)):
        if number == _MOST:
            return
        # The mask keeps the quotes of a literal and blanks what stands in it.
        if text.masked[match.start() : match.start(1) + 1] == b'" ':
            option = match[1] + (match[2] or b"")
            yield FoundMark(
                MarkKind.RTC_OPTION, match.start(), match.end(), option.decode("latin-1")
            )


FINDER = Finder(_find, signs=(b"nvrtcCompileProgram",))
