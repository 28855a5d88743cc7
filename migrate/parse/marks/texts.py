"""GPU code in string literals: CUDA for NVRTC, and PTX for the driver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_CODE = (
    (b"__global__", re.compile(rb"__global__\s+(?:__launch_bounds__|void)\b()")),
    (b".target", re.compile(rb"\.target\s+(sm_\d{2,3}[af]?)\b")),
)
_WINDOW = 1 << 16
"""So far from a literal's quotes its text may lie; longer ones are data."""
_MOST = 50


def _find(text: MarkText) -> Iterator[FoundMark]:
    """The pieces of code that stand in literals; of so many in a file, that is a generator."""
    data = text.file.data
    found = sorted(
        (
            match
            for sign, form in _CODE
            if sign in data
            for match in islice(form.finditer(data), _MOST)
        ),
        key=lambda match: match.start(),
    )
    for match in found[:_MOST]:
        if not _in_literal(text.masked, match.start()):
            continue
        if match[1]:
            target = match[1].decode("ascii")
            yield FoundMark(MarkKind.PTX_TEXT, *match.span(), target)
        else:
            yield FoundMark(MarkKind.KERNEL_TEXT, *match.span(), "__global__")


def _in_literal(masked: bytes, offset: int) -> bool:
    """Whether a place is blank up to a quote on both sides: masks keep the quotes of literals."""
    before = masked[max(0, offset - _WINDOW) : offset].rstrip()
    after = masked[offset : offset + _WINDOW].lstrip()
    return before.endswith(b'"') and after.startswith(b'"')


FINDER = Finder(_find, signs=(b"",), gpu_code=False)
