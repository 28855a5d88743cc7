"""What every finder of a file works on: its bytes with all that was read from them."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.parse.conditionals import Regions
from migrate.parse.lines import LineIndex
from migrate.parse.own_words import NO_WORDS, OwnWords
from migrate.parse.uses import CodeText


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's bytes with all that was read from them."""

    data: bytes
    code: CodeText
    index: LineIndex
    regions: Regions
    cuda_code: bool
    """Whether the file is CUDA's: by its kind, its includes, its device code."""
    own: OwnWords = NO_WORDS
    """The project's words for qualifiers, kernel heads and launches that the file has."""
