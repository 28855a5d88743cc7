"""CUDA names behind a namespace: written out, through an alias, or brought in by ``using``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from migrate.model.facts import UseKind
from migrate.parse.uses import CodeText, FoundUse
from migrate.parse.vocabulary import USUAL_ALIASES, Vocabulary
from migrate.parse.words import find_words

# Without \b in front, so that the search jumps from one keyword to the next.
_ALIAS = re.compile(rb"namespace\s+(\w+)\s*=\s*(?:::\s*)?([\w:]+)\s*;")
_USING = re.compile(rb"using\s+(namespace\s+)?(?:::\s*)?([A-Za-z_]\w*(?:::\w+)*)\s*;")
_USING_TARGET = re.compile(rb"\b(?:using\s+)?namespace\s+(?:\w+\s*=\s*)?(?:::\s*)?$")
_OPENED = re.compile(rb"namespace\s+([\w:]+)\s*\{")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TELLING_NAMES = {
    "cub": re.compile(rb"(?:Block|Warp|Device)[A-Z][a-z]\w+|CachingDeviceAllocator|DoubleBuffer"),
    "thrust": re.compile(rb"(?:device|host|universal)_vector|device_ptr|\w+_pointer_cast"),
}
"""Where a namespace is known as a family only: what ``using namespace`` brings in of it."""
_REST = re.compile(rb"(?:\s*+::\s*+[A-Za-z_]\w*+)++")
_WRAPPED = frozenset({b"thrust", b"cub"})
_DEEPEST = 8
"""So many parts of a name are looked at; no CUDA library has a deeper one."""


class QualifiedFinder:
    """Finds the uses of names in namespaces that have rows, in one file."""

    def __init__(self, text: CodeText, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._tables = vocabulary.tables

    @cached_property
    def _own_namespaces(self) -> set[bytes]:
        """The namespaces that the file opens itself."""
        return {match[1] for match in _OPENED.finditer(self._text.masked)}

    def uses(self, words: set[bytes]) -> Iterator[FoundUse]:
        """Uses through a namespace, an alias, ``using namespace`` and using-declarations."""
        usual = words & USUAL_ALIASES.keys()
        if not usual and not words & self._vocabulary.namespaces:
            return
        aliases = self._aliases() if b"namespace" in words else {}
        opened, single = self._using(aliases) if b"using" in words else ([], {})
        # Two namespaces std in sight are no code that compiles: the word stays C++'s.
        brought = words - {b"std"}
        for namespace in opened:
            aliases.update(self._inner_namespaces(namespace, brought))
        for word in usual:
            if not re.search(rb"\bnamespace\s+" + word + rb"\b", self._text.masked):
                aliases.setdefault(word.decode(), USUAL_ALIASES[word])
        heads = words & (self._vocabulary.namespaces | {alias.encode() for alias in aliases})
        for match in _chain_pattern(frozenset(heads)).finditer(self._text.masked):
            use = self._qualified(match, aliases)
            if use is not None:
                yield use
        for namespace in opened:
            for word in self._members(namespace, brought):
                single.setdefault(word, f"{namespace}::{word.decode()}")
        yield from self._unqualified(
            {
                word: full
                for word, full in single.items()
                if word in words and word not in self._vocabulary.names
            }
        )

    def _aliases(self) -> dict[str, str]:
        return {
            match[1].decode(): match[2].decode()
            for match in _ALIAS.finditer(self._text.masked)
            if match[2].split(b"::")[0] in self._vocabulary.namespaces
        }

    def _using(self, aliases: dict[str, str]) -> tuple[list[str], dict[bytes, str]]:
        """The namespaces that are opened, and the single names that are brought in."""
        opened: dict[str, None] = {}
        single: dict[bytes, str] = {}
        for match in _USING.finditer(self._text.masked):
            head, _, rest = match[2].decode().partition("::")
            full = aliases.get(head, head) + (f"::{rest}" if rest else "")
            if full.split("::")[0].encode() not in self._vocabulary.namespaces:
                continue
            if match[1]:
                opened[full] = None
            elif self._vocabulary.knows(full):
                single[full.rpartition("::")[2].encode()] = full
        return list(opened), single

    def _members(self, namespace: str, words: set[bytes]) -> set[bytes]:
        """The words that are an opened namespace's: those with a row, and its telling names."""
        telling = _TELLING_NAMES.get(namespace)
        members = words & {name.encode() for name in self._tables.members_of(namespace)}
        return members | {word for word in words if telling and telling.fullmatch(word)}

    def _inner_namespaces(self, namespace: str, words: set[bytes]) -> dict[str, str]:
        return {
            name: f"{namespace}::{name}"
            for name in map(bytes.decode, words)
            if self._tables.members_of(f"{namespace}::{name}")
        }

    def _qualified(self, match: re.Match[bytes], aliases: dict[str, str]) -> FoundUse | None:
        masked, start = self._text.masked, match.start()
        directive = self._text.directives.at(start)
        if directive is not None and not directive.holds_code:
            return None
        if not (self._text.is_free(start) or self._is_wrapped(match[1], start)):
            return None
        if _USING_TARGET.search(masked, max(0, start - 60), start):
            return None
        head = match[1].decode()
        return self._chain(aliases.get(head, head), match.start(), match.end(1), match.end())

    def _is_wrapped(self, head: bytes, start: int) -> bool:
        """Whether a project's namespace is around Thrust's or CUB's, as in ``mine::thrust::sort``.

        That is what THRUST_CUB_WRAPPED_NAMESPACE makes of them; a project that writes such a
        namespace itself has its own.
        """
        if head not in _WRAPPED or self._text.token_before(start) != b"::":
            return False
        at = self._text.masked.rfind(b"::", 0, start)
        qualifier = self._text.token_before(at)
        if not _WORD.fullmatch(qualifier) or qualifier in self._vocabulary.namespaces | {b"std"}:
            return False
        outer = self._text.token_before(self._text.masked.rfind(qualifier, 0, at))
        if outer == b"::":
            further = self._text.qualifier_before(self._text.masked.rfind(qualifier, 0, at))
            if further[-1:].isalnum() or further[-1:] in {b"_", b">"}:
                return False
        elif outer in {b".", b"->"}:
            return False
        return head not in self._own_namespaces

    def _chain(self, head: str, start: int, behind: int, end: int) -> FoundUse | None:
        """The use of the longest known name that ``head`` and the words behind it make up."""
        words = list(_WORD.finditer(self._text.masked, behind, end))[:_DEEPEST]
        symbol, used = self._known_prefix([head, *(word[0].decode() for word in words)])
        if not symbol:
            return None
        return self._text.use_at(start, words[used - 2].end() if used > 1 else behind, symbol)

    def _known_prefix(self, parts: list[str]) -> tuple[str, int]:
        """The longest known name that the parts begin with, and how many of them it takes."""
        for count in range(len(parts), 1, -1):
            name = "::".join(parts[:count])
            if name in self._tables.names:
                return name, count
        full = "::".join(parts)
        return (full, len(parts)) if self._vocabulary.knows(full) else ("", 0)

    def _unqualified(self, names: dict[bytes, str]) -> Iterator[FoundUse]:
        for start, word in find_words(self._text.masked, names):
            directive = self._text.directives.at(start)
            if directive is not None and not directive.holds_code:
                continue
            if not self._text.is_free(start):
                continue
            end = start + len(word)
            rest = _REST.match(self._text.masked, end)
            use = self._chain(names[word], start, end, rest.end()) if rest else None
            use = use or self._text.use_at(start, end, names[word])
            if rest or use.kind is not UseKind.NAME or self._type_like(use.end):
                yield use

    def _type_like(self, end: int) -> bool:
        """Whether a declared name or template arguments follow, as behind a type."""
        at = self._text.next_code(end)
        following = self._text.masked[at : at + 1]
        return following in {b"<", b"&", b"*"} or (at > end and following.isalpha())


@lru_cache(maxsize=256)
def _chain_pattern(heads: frozenset[bytes]) -> re.Pattern[bytes]:
    joined = b"|".join(sorted(heads))
    return re.compile(rb"\b(" + joined + rb")((?:\s*+::\s*+[A-Za-z_]\w*+)++)")
