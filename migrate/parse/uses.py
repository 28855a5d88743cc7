"""Where CUDA names stand in a file's code, and how each is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from migrate.model.facts import UseKind
from migrate.parse.brackets import skip_template_arguments, split_arguments
from migrate.parse.directives import Directive, Directives
from migrate.parse.vocabulary import Vocabulary

_WORD = re.compile(rb"[A-Za-z_]\w*")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_QUALIFIER = re.compile(rb"(?:[A-Za-z_]\w*|>)\s*::\s*$")
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::\s*)?([\w:]+)\s*;")
_USING_NAMESPACE = re.compile(rb"\busing\s+namespace\s+(?:::\s*)?([\w:]+)\s*;")
_USING_TARGET = re.compile(rb"\b(?:using\s+)?namespace\s+(?:\w+\s*=\s*)?(?:::\s*)?$")
_NEXT = re.compile(rb"[\s\\]*")
_INTRODUCES = re.compile(rb"\b(?:struct|class|enum|union|namespace|typename|goto)\s+$")
_NO_CODE = frozenset(
    {"include", "include_next", "import", "pragma", "error", "warning", "line", "undef"}
)
_CONDITION = frozenset({"if", "elif", "ifdef", "ifndef", "elifdef", "elifndef"})


@dataclass(frozen=True, slots=True)
class FoundUse:
    """A use by offsets; ``arguments`` is -1 where it is no call; ``known`` whether a row answers."""

    start: int
    end: int
    symbol: str
    kind: UseKind
    arguments: int
    known: bool = True
    opening: int = -1
    """Offset of the call's opening bracket, -1 for none."""


def words_of(masked: bytes) -> set[bytes]:
    """The distinct words of a text."""
    return set(_WORD.findall(masked))


@dataclass(frozen=True, slots=True)
class Candidates:
    """The words of a file that may be uses; lookalikes have a CUDA name's form and no row."""

    plain: frozenset[bytes]
    lookalikes: frozenset[bytes]
    heads: frozenset[bytes]

    def __bool__(self) -> bool:
        return bool(self.plain or self.lookalikes or self.heads)


def find_candidates(words: set[bytes], vocabulary: Vocabulary) -> Candidates:
    """Sort a file's words: those with a row, those that only look so, and namespaces."""
    plain = words & vocabulary.names
    rest = words - plain
    families = {word for word in rest if vocabulary.families.fullmatch(word)}
    families = {word for word in families if vocabulary.tables.knows(word.decode())}
    lookalikes = {word for word in rest - families if vocabulary.lookalike.fullmatch(word)}
    return Candidates(
        frozenset(plain | families), frozenset(lookalikes), frozenset(words & vocabulary.namespaces)
    )


def occurrences(text: bytes, word: bytes) -> Iterator[int]:
    """The offsets at which a whole word stands."""
    size = len(word)
    at = text.find(word)
    while at >= 0:
        end = at + size
        if (at == 0 or text[at - 1] not in _WORD_BYTES) and (
            end == len(text) or text[end] not in _WORD_BYTES
        ):
            yield at
        at = text.find(word, end)


class UseFinder:
    """Finds the uses of one file's masked text; lists of :class:`FoundUse` in no order."""

    def __init__(self, masked: bytes, directives: Directives, vocabulary: Vocabulary) -> None:
        self._masked = masked
        self._directives = directives
        self._vocabulary = vocabulary
        self._tables = vocabulary.tables
        self.defined: set[str] = set()

    def plain_uses(self, candidates: Candidates) -> Iterator[FoundUse]:
        """Uses of unqualified names, and lookalikes where their form is a CUDA function's or type's."""
        for word in candidates.plain:
            for start in occurrences(self._masked, word):
                use = self._plain(start, word, known=True)
                if use is not None:
                    yield use
        for word in candidates.lookalikes:
            for start in occurrences(self._masked, word):
                use = self._plain(start, word, known=False)
                if use is not None:
                    yield use

    def _plain(self, start: int, word: bytes, *, known: bool) -> FoundUse | None:
        end = start + len(word)
        directive = self._directives.at(start)
        if directive is not None and not self._in_code(directive, start, end, word):
            return None
        if not self._free(start):
            return None
        if _INTRODUCES.search(self._masked, max(0, start - 24), start):
            if not known:
                self.defined.add(word.decode())
            return None
        return self._use(start, end, word.decode(), directive, known=known)

    def _in_code(self, directive: Directive, start: int, end: int, word: bytes) -> bool:
        if directive.word in _NO_CODE:
            return False
        if directive.word == "define":
            before = self._masked[directive.text : start]
            if not before.strip():
                self.defined.add(word.decode())
                return False
            if self._masked[max(0, start - 2) : start].endswith(b"##"):
                return False
        return self._masked[end : end + 2] != b"##"

    def _free(self, start: int) -> bool:
        """Whether nothing before the word makes it a member or another namespace's."""
        before = self._masked[max(0, start - 120) : start].rstrip()
        if before.endswith((b".", b"->")):
            return before.endswith(b"...")
        return not (before.endswith(b"::") and _QUALIFIER.search(before))

    def _use(
        self, start: int, end: int, symbol: str, directive: Directive | None, *, known: bool = True
    ) -> FoundUse | None:
        opening = self._call_opening(end)
        kind, count = UseKind.NAME, -1
        if opening >= 0:
            split = split_arguments(self._masked, opening)
            kind, count = UseKind.CALL, len(split[0]) if split else -1
        if directive is not None:
            kind = UseKind.DIRECTIVE if directive.word in _CONDITION else UseKind.MACRO_BODY
        return FoundUse(start, end, symbol, kind, count, known, opening)

    def _call_opening(self, end: int) -> int:
        at = self._next(end)
        if self._masked[at : at + 1] == b"<" and self._masked[at : at + 2] != b"<<":
            behind = skip_template_arguments(self._masked, at)
            if behind < 0:
                return -1
            at = self._next(behind)
        return at if self._masked[at : at + 1] == b"(" else -1

    def _next(self, offset: int) -> int:
        match = _NEXT.match(self._masked, offset)
        return match.end() if match else offset

    def qualified_uses(self, words: set[bytes]) -> Iterator[FoundUse]:
        """Uses of names in a namespace with rows, through aliases and ``using namespace`` too."""
        aliases = self._aliases()
        used = list(self._used_namespaces(aliases))
        for namespace in used:
            aliases.update(self._inner_namespaces(namespace, words))
        heads = frozenset(
            words & (self._vocabulary.namespaces | {alias.encode() for alias in aliases})
        )
        if heads:
            for match in _chain_pattern(heads).finditer(self._masked):
                use = self._qualified(match, aliases)
                if use is not None:
                    yield use
        for namespace in used:
            yield from self._unqualified(namespace, words)

    def _aliases(self) -> dict[str, str]:
        return {
            match[1].decode(): match[2].decode()
            for match in _ALIAS.finditer(self._masked)
            if match[2].split(b"::")[0] in self._vocabulary.namespaces
        }

    def _used_namespaces(self, aliases: dict[str, str]) -> Iterator[str]:
        seen: set[str] = set()
        for match in _USING_NAMESPACE.finditer(self._masked):
            name = match[1].decode()
            head, _, rest = name.partition("::")
            full = aliases.get(head, head) + (f"::{rest}" if rest else "")
            if full not in seen and full.split("::")[0].encode() in self._vocabulary.namespaces:
                seen.add(full)
                yield full

    def _inner_namespaces(self, namespace: str, words: Iterable[bytes]) -> dict[str, str]:
        return {
            name: f"{namespace}::{name}"
            for name in map(bytes.decode, words)
            if self._tables.members_of(f"{namespace}::{name}")
        }

    def _qualified(self, match: re.Match[bytes], aliases: dict[str, str]) -> FoundUse | None:
        start = match.start()
        directive = self._directives.at(start)
        if directive is not None and directive.word in _NO_CODE:
            return None
        if not self._free(start) or _USING_TARGET.search(self._masked, max(0, start - 60), start):
            return None
        head = match[1].decode()
        parts = [aliases.get(head, head), *re.findall(r"\w+", match[2].decode())]
        symbol, used = self._known_prefix(parts)
        if not symbol:
            return None
        end = match.end() if used == len(parts) else self._part_end(match, used)
        return self._use(start, end, symbol, directive)

    def _known_prefix(self, parts: list[str]) -> tuple[str, int]:
        for count in range(len(parts), 1, -1):
            name = "::".join(parts[:count])
            if name in self._tables.names:
                return name, count
        full = "::".join(parts)
        return (full, len(parts)) if self._tables.knows(full) else ("", 0)

    def _part_end(self, match: re.Match[bytes], count: int) -> int:
        ends = [part.end() for part in _WORD.finditer(self._masked, match.start(), match.end())]
        return ends[count - 1] if count <= len(ends) else match.end()

    def _unqualified(self, namespace: str, words: set[bytes]) -> Iterator[FoundUse]:
        for name in sorted(self._tables.members_of(namespace)):
            word = name.encode()
            if word not in words or word in self._vocabulary.names:
                continue
            for start in occurrences(self._masked, word):
                directive = self._directives.at(start)
                if directive is not None and directive.word in _NO_CODE:
                    continue
                if not self._free(start):
                    continue
                use = self._use(start, start + len(word), f"{namespace}::{name}", directive)
                if use is not None and (use.kind is not UseKind.NAME or self._type_like(use.end)):
                    yield use

    def _type_like(self, end: int) -> bool:
        """Whether a declared name or template arguments follow, as behind a type."""
        at = self._next(end)
        following = self._masked[at : at + 1]
        return following in {b"<", b"&", b"*"} or (at > end and following.isalpha())

    def member_uses(self, words: set[bytes]) -> Iterator[FoundUse]:
        """Members of the tables' structs, on variables that the file declares with such a type."""
        for type_name in words & self._vocabulary.member_types:
            variables = frozenset(
                match[1] for match in _variable_pattern(type_name).finditer(self._masked)
            )
            if not variables:
                continue
            for match in _member_pattern(variables).finditer(self._masked):
                name = f"{type_name.decode()}::{match[1].decode()}"
                if self._tables.knows(name):
                    yield FoundUse(match.start(1), match.end(1), name, UseKind.MEMBER, -1)


@lru_cache(maxsize=256)
def _chain_pattern(heads: frozenset[bytes]) -> re.Pattern[bytes]:
    joined = b"|".join(sorted(heads))
    return re.compile(rb"(?<!\w)(" + joined + rb")((?:\s*::\s*[A-Za-z_]\w*)+)")


@lru_cache(maxsize=64)
def _variable_pattern(type_name: bytes) -> re.Pattern[bytes]:
    return re.compile(
        rb"\b" + type_name + rb"\b(?:\s+const)?[\s&*>]*\s([A-Za-z_]\w*)\s*[;,)=\[{(:]"
    )


@lru_cache(maxsize=256)
def _member_pattern(variables: frozenset[bytes]) -> re.Pattern[bytes]:
    joined = b"|".join(sorted(variables))
    return re.compile(
        rb"(?<![\w])(?:"
        + joined
        + rb")\s*(?:\[[^\]\n]*\]\s*)*(?:\.|->)\s*([A-Za-z_]\w*)(?!\w|\s*\()"
    )
