"""Members that only objects of CUDA have, on values whose type the file need not spell."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_NAMES = (
    *(b"producer_acquire", b"producer_commit", b"consumer_wait", b"consumer_release"),
    *(b"map_shared_rank", b"arrive_and_wait", b"arrive_and_drop", b"sharedMemPerBlockOptin"),
    b"accessPolicyWindow",
)
_BEFORE = 22
"""So far in front of a name what makes it a member is looked for."""


def _find(text: MarkText) -> Iterator[FoundMark]:
    for start, name in text.places(_NAMES):
        before = text.masked[max(0, start - _BEFORE) : start].rstrip()
        if before.endswith((b".", b"->")):
            yield FoundMark(MarkKind.MEMBER, start, start + len(name), name.decode("ascii"))


FINDER = Finder(_find, signs=_NAMES)
