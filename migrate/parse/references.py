"""Texture and surface references, whose type has a name that any program may own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.facts import UseKind
from migrate.parse.uses import FoundUse

REFERENCE_WORDS = frozenset({b"texture", b"surface"})
_DECLARED = re.compile(
    rb"\b(texture|surface)\s*<([^<>;{}()]{1,200})>\s*[*&]?\s*[A-Za-z_]\w*\s*(?=[;,=\[\\]|$)",
    re.MULTILINE,
)
_TEXEL = rb"(?:unsigned\s+)?(?:u?(?:char|short|int)[1-4]?|float[1-4]?|double|uint|half|long)"
_ARGUMENTS = {
    b"texture": re.compile(
        rb"\s*(?:" + _TEXEL + rb"\s*|[^,]+,\s*(?:[1-3]|0x[0-9a-fA-F]+|cudaTextureType\w+)\s*"
        rb"(?:,[^,]+)?|[^,]+,[^,]+,\s*cudaReadMode\w+\s*)"
    ),
    b"surface": re.compile(rb"\s*void\s*(?:,\s*(?:[1-3]|0x[0-9a-fA-F]+|cudaSurfaceType\w+)\s*)?"),
}
_OWN = re.compile(rb"\b(?:class|struct)\s+(?:texture|surface)\b")


def find_references(masked: bytes) -> Iterator[FoundUse]:
    """Find ``texture<float, 2> t;`` and ``surface<void, 2> s;``, told by their arguments.

    Textures that are a class of the file's own are none.
    """
    if _OWN.search(masked):
        return
    for match in _DECLARED.finditer(masked):
        if _ARGUMENTS[match[1]].fullmatch(match[2]):
            yield FoundUse(*match.span(1), match[1].decode("ascii"), UseKind.NAME)
