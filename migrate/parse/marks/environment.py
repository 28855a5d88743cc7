"""Environment variables that host code reads or sets by a literal name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_WORDS = (b"getenv", b"setenv", b"secure_getenv", b"_putenv_s")
_NAME = re.compile(rb'"([A-Za-z_]\w{2,80})"')
_WANTED = re.compile(
    rb"(?:CUDA|NCCL|NVSHMEM|NVIDIA|UCX|MV2|MPICH|PSM2|HIP|HSA|ROCR|RCCL|AMD)_|OMPI_MCA_"
)


def _find(text: MarkText) -> Iterator[FoundMark]:
    for start, word, opening in text.calls(_WORDS):
        # The mask blanks what stands in a literal and keeps every byte at its place.
        match = _NAME.match(text.file.data, _first(text.file.data, opening + 1))
        if match is not None and _WANTED.match(match[1]):
            yield FoundMark(
                MarkKind.ENVIRONMENT, start, match.end(), match[1].decode(), (word.decode(),)
            )


def _first(data: bytes, at: int) -> int:
    """The first place from one on that is not white space."""
    while data[at : at + 1].isspace():
        at += 1
    return at


FINDER = Finder(_find, signs=(b"getenv", b"setenv", b"putenv"))
