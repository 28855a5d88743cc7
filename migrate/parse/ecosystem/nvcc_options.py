"""Options of nvcc among the words of a command, a variable or a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from migrate.knowledge.options import NvccOption, nvcc_options
from migrate.model.signals import Kind, Signal

_NVIDIA_ARCH = re.compile(r"\b(?:sm|compute|lto)_\d")
_SPLIT = re.compile(r"[\s;\"'`<>]+")
_BETWEEN_OPTIONS = re.compile(r"[\s;\"'`]+")
_NVCC = re.compile(r"nvcc|cuda|nvcu|cu(?:cc|flags|opt)", re.IGNORECASE)
_VALUES = {
    "-x": re.compile(r" cu(?:da)?$"),
    "-std": re.compile(r" (?:c|gnu)\+\+\w+$"),
    "-t": re.compile(r"[ =](?:\d|\$)"),
    "-arch": re.compile(r"[ =](?!gfx|arm|x86)"),
    "-code": re.compile(r"[ =]"),
}
"""What has to stand behind an option that other programs have too."""
_TAKE_OPTIONS = frozenset({"-Xcompiler", "-Xptxas", "-Xnvlink", "-Xcudafe", "-Xfatbin"})
"""Options whose value is an option."""
_LONGEST = 120

Word = tuple[str, int]
"""A word and its line."""


def options_in(words: Iterable[Word], *, nvcc: bool) -> Iterator[Signal]:
    """Yield the options of nvcc among words.

    ``nvcc`` says that the words are plainly for nvcc; else only those count that no other
    program has.
    """
    for text, line, row in _options_in(words):
        if _counts(text, row, nvcc=nvcc):
            yield Signal(Kind.OPTION, text[:_LONGEST], line)


def _options_in(words: Iterable[Word]) -> Iterator[tuple[str, int, NvccOption]]:
    """Yield everything spelled like an option of nvcc, with its value."""
    pending: tuple[str, int, NvccOption] | None = None
    for word, line in words:
        if pending is not None:
            option, at, row = pending
            pending = None
            if not word.startswith("-") or row.option in _TAKE_OPTIONS:
                yield f"{option} {word}", at, row
                continue
            yield option, at, row
        row_here = _row(word)
        if row_here is None:
            continue
        if row_here.value != "none" and "=" not in word:
            pending = (word, line, row_here)
        elif row_here.value != "next":
            yield word, line, row_here
    if pending is not None:
        yield pending


def _row(word: str) -> NvccOption | None:
    if not word.startswith("-"):
        return None
    rows = nvcc_options()
    if word in rows:
        return rows[word]
    name, equals, _ = word.partition("=")
    row = rows.get(name)
    return row if row is not None and (not equals or row.value == "one") else None


def _counts(text: str, row: NvccOption, *, nvcc: bool) -> bool:
    """Whether an option is nvcc's, by its value and by whom it is for."""
    form = _VALUES.get(row.option)
    if form is not None and not form.search(text):
        return False
    return row.anywhere or nvcc or _NVIDIA_ARCH.search(text) is not None


def words_of(text: str, line: int, *, lists: bool = False) -> Iterator[Word]:
    """Yield the words of a text with their lines; of ``lists`` without commas around them."""
    split = _SPLIT if lists else _BETWEEN_OPTIONS
    for number, content in enumerate(text.split("\n"), line):
        for part in split.split(content):
            word = part.strip(",()[]{}") if lists else part
            if word:
                yield word, number


def names_nvcc(name: str) -> bool:
    """Whether a variable or text speaks of nvcc or CUDA."""
    return _NVCC.search(name) is not None
