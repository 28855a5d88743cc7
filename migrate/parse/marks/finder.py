"""What a finder of marks is given, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

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
    """The distinct words of the code, numbers among them."""
    vocabulary: bytes
    """The words in one text, each between blanks."""
    _places: dict[frozenset[bytes], list[tuple[int, bytes]]] = field(default_factory=dict)

    def has(self, *parts: bytes) -> bool:
        """Whether one of some parts of words stands in the code; between blanks, a whole word."""
        return any(map(self.vocabulary.__contains__, parts))

    def with_part(self, *parts: bytes, any_case: bool = False) -> set[bytes]:
        """The words of the code that one of some parts is in; ``any_case``: of parts in lower."""
        words, found = self.vocabulary, set()
        text = words.lower() if any_case else words
        for part in parts:
            at = text.find(part)
            while at >= 0:
                end = text.find(b" ", at)
                found.add(words[text.rfind(b" ", 0, at) + 1 : end])
                at = text.find(part, end)
        return found

    def like(self, form: re.Pattern[bytes], *parts: bytes) -> set[bytes]:
        """The words of the code that have a form; all of that form have one of the parts."""
        return set(filter(form.fullmatch, self.with_part(*parts)))

    def places(self, words: Iterable[bytes]) -> list[tuple[int, bytes]]:
        """Where some words stand, and the words, in order of place."""
        wanted = frozenset(self.words.intersection(words))
        if wanted not in self._places:
            self._places[wanted] = sorted(find_words(self.masked, wanted)) if wanted else []
        return self._places[wanted]

    def calls(self, words: Iterable[bytes]) -> Iterator[tuple[int, bytes, int]]:
        """Where a bracket follows some words: the word's place, the word, the bracket's."""
        for start, word in self.places(words):
            opening = _OPENING.match(self.masked, start + len(word))
            if opening is not None:
                yield start, word, opening.end() - 1

    def matches(self, form: re.Pattern[bytes], *words: bytes) -> Iterator[re.Match[bytes]]:
        """The matches of a form that begins with one of some words, looked for only there."""
        behind = 0
        for start, _ in self.places(words):
            match = form.match(self.masked, start) if start >= behind else None
            if match is not None:
                behind = match.end()
                yield match

    @property
    def masked(self) -> bytes:
        """The code without comments and literals, every byte at its place."""
        return self.file.code.masked

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
    """A finder of marks, asked where one of its ``signs``, parts of words, stands in the code."""

    find: Callable[[MarkText], Iterator[FoundMark]]
    signs: tuple[bytes, ...]
    gpu_code: bool = True
    """Whether it is asked only in files with a CUDA name or device code, not in every C++ file."""


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
