"""Container images of NVIDIA's world and what ROCm has for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from migrate.knowledge.tables import table_rows
from migrate.model.verdict import Verdict

_HEADER = "pattern,what,rocm,verdict,as_of,source,note"


@dataclass(frozen=True, slots=True)
class ImageRow:
    """Images that ``pattern`` finds; ``rocm`` is the image to take, "" for none."""

    pattern: re.Pattern[str]
    what: str
    rocm: str
    verdict: Verdict
    note: str


@cache
def _rows() -> tuple[ImageRow, ...]:
    return tuple(
        ImageRow(re.compile(row[0]), row[1], row[2], Verdict(row[3]), row[6])
        for row in table_rows(_HEADER, "images.csv")
    )


@cache
def image_row(image: str) -> ImageRow | None:
    """What the table says of an image; None for one that it does not know."""
    return next((row for row in _rows() if row.pattern.search(image)), None)
