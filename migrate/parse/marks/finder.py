"""What a finder of marks is given, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from migrate.model.mark import Mark, MarkKind
from migrate.parse.filetext import FileText
from migrate.parse.scopes import Scope, ScopeIndex
from migrate.parse.words import find_words

_OPENING = re.compile(rb"\s*\(")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


@dataclass(frozen=True, slots=True)
class MarkText:
    """A file's text with its functions; what is disabled (``#if 0``) is still in it."""

    file: FileText
    scopes: ScopeIndex
    words: set[bytes]
    """The distinct words of the code."""
    vocabulary: bytes
    """The words in one text: what is no part of it is no part of a word of the code."""

    def places(self, form: re.Pattern[bytes]) -> list[tuple[int, bytes]]:
        """Where the words stand that have a form, and the words, in order of place.

        The form is held against each distinct word once, not against every place of the text.
        """
        wanted = {word for word in self.words if form.fullmatch(word)}
        return sorted(find_words(self.masked, wanted)) if wanted else []

    def calls(self, form: re.Pattern[bytes]) -> Iterator[tuple[int, bytes, int]]:
        """Where a bracket follows words of a form: the word's place, the word, the bracket's."""
        for start, word in self.places(form):
            opening = _OPENING.match(self.masked, start + len(word))
            if opening is not None:
                yield start, word, opening.end() - 1

    def places_of(self, *words: bytes) -> list[int]:
        """Where one of some words stands, in order of place."""
        return sorted(start for start, _ in find_words(self.masked, self.words & {*words}))

    @property
    def masked(self) -> bytes:
        """The code without comments and literals, every byte at its place."""
        return self.file.code.masked

    def has(self, *signs: bytes) -> bool:
        """Whether one of some words, parts of words or other signs stands in the code."""
        return any(
            sign in (self.vocabulary if _is_of_a_word(sign) else self.masked) for sign in signs
        )

    def function_at(self, offset: int) -> Scope | None:
        """The innermost function, or lambda, around an offset."""
        number = self.scopes.at(offset)
        return self.scopes.scopes[number] if number >= 0 else None


@dataclass(frozen=True, slots=True)
class FoundMark:
    """A mark by offsets into the file."""

    kind: MarkKind
    start: int
    end: int
    symbol: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finder:
    """A finder of marks, asked where one of its ``signs`` stands in the code."""

    find: Callable[[MarkText], Iterator[FoundMark]]
    signs: tuple[bytes, ...]
    gpu_code: bool = True
    """Whether it is asked only in files with a CUDA name or device code, not in every C++ file."""


@cache
def _is_of_a_word(sign: bytes) -> bool:
    return _WORD.issuperset(sign)


def word_start(masked: bytes, offset: int) -> int:
    """Where the word begins that an offset is in."""
    while offset and masked[offset - 1] in _WORD:
        offset -= 1
    return offset


def place_mark(text: MarkText, found: FoundMark) -> Mark | None:
    """Give a mark its place, function and state; None where no build compiles it."""
    state = text.file.regions.state_at(found.start)
    if state is None:
        return None
    directive = text.file.code.directives.at(found.start)
    in_macro = directive is not None and not directive.is_condition
    number = -1 if in_macro else text.scopes.at(found.start)
    scope = text.scopes.scopes[number] if number >= 0 else None
    index = text.file.index
    line, column = index.place(found.start)
    return Mark(
        kind=found.kind,
        symbol=found.symbol,
        line=line,
        end_line=index.line(max(found.start, found.end - 1)),
        column=column,
        function=text.scopes.name(number),
        side=text.scopes.side(number),
        state=state,
        line_hash=index.line_hash(line),
        values=found.values,
        first_line=index.line(scope.start) if scope else 0,
        last_line=index.line(scope.end - 1) if scope else 0,
    )
