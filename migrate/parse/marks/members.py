"""Members that only objects of CUDA have, on values whose type the file need not spell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_NAMES = (
    *(b"producer_acquire", b"producer_commit", b"consumer_wait", b"consumer_release"),
    *(b"map_shared_rank", b"arrive_and_wait", b"arrive_and_drop", b"sharedMemPerBlockOptin"),
    b"accessPolicyWindow",
)
_ACCESS = re.compile(rb"(?:\.|->)\s{0,20}(" + rb"|".join(_NAMES) + rb")\b")


def _find(text: MarkText) -> Iterator[FoundMark]:
    for match in _ACCESS.finditer(text.masked):
        yield FoundMark(MarkKind.MEMBER, match.start(1), match.end(1), match[1].decode("ascii"))


FINDER = Finder(_find, signs=_NAMES)
