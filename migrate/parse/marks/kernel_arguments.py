"""Kernels given to functions that launch them by their address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_CALL = re.compile(rb"(cudaLaunchKernel)\s*(<[^<>;(){}]{1,200}>)?\s*(\()")


def _find(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_CALL, b"cudaLaunchKernel"):
        split = text.file.code.brackets.arguments(match.start(3))
        if split is None or not split[0]:
            continue
        start, end = split[0][0]
        values = (tidy(match[2] or b""), tidy(text.masked[start:end]))
        name = match[1].decode("ascii")
        yield FoundMark(MarkKind.KERNEL_ARGUMENT, match.start(1), match.end(1), name, values)


FINDER = Finder(_find, signs=(b"cudaLaunchKernel",), gpu_code=True)
