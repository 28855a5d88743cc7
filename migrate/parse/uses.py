"""Where unqualified CUDA names stand in a file's code, and how each is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from migrate.model.facts import UseKind
from migrate.parse.brackets import Brackets, skip_template_arguments
from migrate.parse.declarations import STATEMENT_WORDS
from migrate.parse.directives import DefinedMacro, Directive, Directives, defined_macro
from migrate.parse.vocabulary import USUAL_ALIASES, Vocabulary
from migrate.parse.words import WORD_BYTES, find_words

_NEXT = re.compile(rb"[\s\\]*")
_INTRODUCES = frozenset(
    {b"struct", b"class", b"enum", b"union", b"namespace", b"typename", b"goto", b"using"}
)
_LONG_SIGNS = frozenset({b"->", b"::", b"##"})
_BLANK = b" \t\r\n\f\v\\"
_REACH = 120
"""How many bytes before a name are looked at: more white space than that is no code."""


class Known(IntEnum):
    """Whether the tables answer for a name: not (it has a CUDA name's form), by family, by name."""

    LOOKALIKE = 0
    FAMILY = 1
    NAMED = 2


class FoundUse(NamedTuple):
    """A use by offsets; ``known`` is one of :class:`Known`.

    ``arguments`` is -1 where it is no call; ``opening`` is the offset of the call's bracket or -1.
    ``before`` is the token before the name. ``variable`` is the offset of the declaration of a
    member's variable, ``definition`` that of the ``#define`` the use is in, -1 for others.
    """

    start: int
    end: int
    symbol: str
    kind: UseKind
    arguments: int = -1
    known: Known = Known.NAMED
    opening: int = -1
    before: bytes = b""
    variable: int = -1
    definition: int = -1


@dataclass(frozen=True, slots=True)
class Candidates:
    """The words of a file that may be uses; lookalikes have a CUDA name's form and no row."""

    plain: frozenset[bytes]
    families: frozenset[bytes]
    lookalikes: frozenset[bytes]
    heads: frozenset[bytes]

    def __bool__(self) -> bool:
        return bool(self.plain or self.families or self.lookalikes or self.heads)


def find_candidates(words: set[bytes], vocabulary: Vocabulary) -> Candidates:
    """Sort a file's words: those with a row, those that only look so, and namespaces."""
    plain = words & vocabulary.names
    families, lookalikes = vocabulary.formed(words - plain)
    return Candidates(
        plain=frozenset(plain),
        families=frozenset(families),
        lookalikes=frozenset(lookalikes),
        heads=frozenset(words & (vocabulary.namespaces | USUAL_ALIASES.keys())),
    )


class CodeText:
    """One file's masked text with its preprocessor lines and brackets: what the finders ask."""

    def __init__(self, masked: bytes, directives: Directives) -> None:
        self.masked = masked
        self.directives = directives
        self.brackets = Brackets(masked)
        self._asked = -1
        self._token = b""

    @cached_property
    def macros(self) -> list[tuple[Directive, DefinedMacro]]:
        """The ``#define`` lines with what they define."""
        defined = (
            (line, defined_macro(self.masked, line)) for line in self.directives.of("define")
        )
        return [(line, macro) for line, macro in defined if macro is not None]

    def is_free(self, start: int) -> bool:
        """Whether nothing before the word makes it a member or another namespace's."""
        token = self.token_before(start)
        if token in {b".", b"->"}:
            return False
        if token != b"::":
            return True
        qualifier = self.qualifier_before(start)
        return qualifier in STATEMENT_WORDS or not (
            qualifier[-1:].isalnum() or qualifier[-1:] in {b"_", b">"}
        )

    def qualifier_before(self, start: int) -> bytes:
        """The token before the ``::`` that stands before an offset."""
        return self.token_before(self.masked.rfind(b"::", 0, start))

    def token_before(self, start: int) -> bytes:
        """The word or the sign before an offset, ``b""`` for none; directives part the code."""
        if start != self._asked:
            self._asked = start
            floor = max(start - _REACH, self.directives.floor(start))
            self._token = _last_token(self.masked[floor:start].rstrip(_BLANK))
        return self._token

    def use_at(self, start: int, end: int, symbol: str, *, known: Known = Known.NAMED) -> FoundUse:
        """Describe the use of a symbol that stands from ``start`` to ``end``."""
        opening = self._call_opening(end)
        kind, count, definition = UseKind.NAME, -1, -1
        if opening >= 0:
            split = self.brackets.arguments(opening)
            kind, count = UseKind.CALL, len(split[0]) if split else -1
        directive = self.directives.at(start)
        if directive is not None:
            kind = UseKind.DIRECTIVE if directive.is_condition else UseKind.MACRO_BODY
            definition = directive.start
        before = self.token_before(start)
        return FoundUse(
            start, end, symbol, kind, count, known, opening, before, definition=definition
        )

    def _call_opening(self, end: int) -> int:
        at = self.next_code(end)
        if self.masked[at : at + 1] == b"<" and self.masked[at : at + 2] != b"<<":
            behind = skip_template_arguments(self.masked, at)
            if behind < 0:
                return -1
            at = self.next_code(behind)
        return at if self.masked[at : at + 1] == b"(" else -1

    def next_code(self, offset: int) -> int:
        """The offset of the next byte that is no white space."""
        match = _NEXT.match(self.masked, offset)
        return match.end() if match else offset


def _last_token(before: bytes) -> bytes:
    at = len(before)
    while at and before[at - 1] in WORD_BYTES:
        at -= 1
    if at < len(before):
        return before[at:]
    if before[-2:] in _LONG_SIGNS:
        return before[-2:]
    return b"..." if before.endswith(b"...") else before[-1:]


class PlainFinder:
    """Finds unqualified names.

    ``defined`` gathers those without a row that the file itself introduces, ``own_types`` those
    with a row that it defines as a type of its own.
    """

    def __init__(self, text: CodeText) -> None:
        self._text = text
        self.defined: set[str] = set()
        self.own_types: set[str] = set()

    def uses(self, candidates: Candidates) -> Iterator[FoundUse]:
        """Uses of names with a row and of lookalikes, in no order."""
        for known, words in (
            (Known.NAMED, candidates.plain),
            (Known.FAMILY, candidates.families),
            (Known.LOOKALIKE, candidates.lookalikes),
        ):
            for start, word in find_words(self._text.masked, words):
                if self._is_use(start, word, known=known):
                    yield self._text.use_at(start, start + len(word), word.decode(), known=known)

    def _is_use(self, start: int, word: bytes, *, known: Known) -> bool:
        directive = self._text.directives.at(start)
        if directive is not None and not self._in_code(directive, start, word):
            return False
        if not self._text.is_free(start):
            return False
        if self._text.token_before(start) in _INTRODUCES:
            return self._introduced(start, word, known=known)
        return True

    def _introduced(self, start: int, word: bytes, *, known: Known) -> bool:
        """Behind ``struct``, ``enum`` or ``using`` a known name is used, unless defined there."""
        at = self._text.next_code(start + len(word))
        following = self._text.masked[at : at + 1]
        using = self._text.token_before(start) == b"using"
        if known and following not in ({b"="} if using else {b"{", b":", b";"}):
            return True
        if known is Known.NAMED and following != b";":
            self.own_types.add(word.decode())
        elif not known or following != b";":
            self.defined.add(word.decode())
        return False

    def _in_code(self, directive: Directive, start: int, word: bytes) -> bool:
        masked, end = self._text.masked, start + len(word)
        if not directive.holds_code:
            return False
        if directive.word == "define":
            macro = defined_macro(masked, directive)
            if macro is not None and macro.start == start:
                self.defined.add(word.decode())
                return False
            if self._text.token_before(start) == b"##":
                return False
        return not masked[end : end + 8].lstrip().startswith(b"##")
