"""The source lines around findings, read again for the formats that show code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from migrate.model.assessment import Excerpt
from migrate.model.finding import Finding
from migrate.treefile import decode_text, read_regular_file

_CONTEXT_LINES = 3
_LONGEST_LINE = 400


def read_excerpts(root: str, findings: Sequence[Finding]) -> dict[tuple[str, int], Excerpt]:
    """The lines around each finding's first site, by path and line.

    A file that has gone or changed its kind since the scan has none. Lines are cut at 400
    characters.
    """
    wanted: dict[str, list[int]] = defaultdict(list)
    for finding in findings:
        wanted[finding.path].append(finding.line)
    return {
        (path, line): excerpt
        for path, numbers in wanted.items()
        for line, excerpt in _of_file(root, path, numbers)
    }


def _of_file(root: str, path: str, numbers: Sequence[int]) -> Iterator[tuple[int, Excerpt]]:
    try:
        lines = decode_text(read_regular_file(root, path)).split("\n")
    except OSError:
        return
    for number in numbers:
        first = max(1, number - _CONTEXT_LINES)
        shown = tuple(
            line.rstrip("\r")[:_LONGEST_LINE] for line in lines[first - 1 : number + _CONTEXT_LINES]
        )
        yield number, Excerpt(path=path, first_line=first, lines=shown)
