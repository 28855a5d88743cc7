"""Whose a declaration is: CUDA's, by where it is declared and what the tables know, or not."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from migrate.knowledge.owners import owned_by
from migrate.model.unit import Toolkit
from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    file_place,
    is_type_of_pointer_to_function,
    qualified_name,
)
from migrate.parse.vocabulary import Vocabulary
from migrate.treefile import printable_path

_TAG = re.compile(r"(?:_v\d+)?(?:_st|_s)?(?:_v\d+)?$")
_RECORDS = frozenset(
    kind.value for kind in (Kind.STRUCT_DECL, Kind.UNION_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE)
)
_OUTER = frozenset(kind.value for kind in (Kind.TRANSLATION_UNIT, Kind.LINKAGE_SPEC))
_TYPES = frozenset(
    kind.value
    for kind in (
        *(Kind.TYPEDEF_DECL, Kind.TYPE_ALIAS_DECL, Kind.STRUCT_DECL, Kind.UNION_DECL),
        *(Kind.ENUM_DECL, Kind.ENUM_CONSTANT_DECL),
    )
)
_FUNCTION, _VARIABLE, _FIELD, _ENUM = (
    kind.value for kind in (Kind.FUNCTION_DECL, Kind.VAR_DECL, Kind.FIELD_DECL, Kind.ENUM_DECL)
)
_CUDA_BUILTIN = "__clang_cuda_"


class _Home(Enum):
    """Where something is declared."""

    TREE = "a file of the scanned tree"
    TOOLKIT = "a header of CUDA, or clang's stand-in for one"
    OTHER = "another library or the standard library"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name means: ``word`` is the name itself, ``symbol`` CUDA's name in full, "" for none.

    ``telling`` is false where nobody would take the name for CUDA's, or where it is CUDA's and
    the tables do not list it (``unlisted``): then there is nothing to say.
    """

    word: str
    symbol: str
    telling: bool = True
    member: bool = False
    unlisted: bool = False


class Declarations:
    """Answers for declarations and macros, each once.

    Args:
        root: the scanned tree's absolute path.
        toolkit: where CUDA's headers lie.
        resources: clang's own headers.
        vocabulary: what the tables know, without the libraries that the tree is itself.
        own: the keys of those libraries.
        absent: the keys of libraries whose headers the unit has not found. Of their names a project
            may then seem to have its own, as one that fills in for an older release does.
        read: the keys of libraries whose headers the unit has read. Of others a project may have
            fill-ins for builds without CUDA, and a guess of its settings have chosen them.
    """

    def __init__(
        self,
        root: str,
        toolkit: Toolkit,
        resources: str,
        vocabulary: Vocabulary,
        *,
        own: frozenset[str] = frozenset(),
        absent: frozenset[str] = frozenset(),
        read: frozenset[str] = frozenset(),
    ) -> None:
        self._root = f"{root.rstrip(os.sep)}{os.sep}"
        self._toolkit = tuple(f"{folder.rstrip(os.sep)}{os.sep}" for folder in toolkit.include)
        self._resources = f"{resources.rstrip(os.sep)}{os.sep}"
        self._vocabulary = vocabulary
        self._own = own
        self._absent = absent
        self._read = read
        self._known: dict[int, Meaning | None] = {}
        self._macros: dict[tuple[str, str], Meaning | None] = {}
        self._homes: dict[str, _Home] = {}
        self._words: dict[str, bool] = {}
        self._components = {
            part for name in vocabulary.tables.names if "::" in name for part in name.split("::")
        }

    def meaning(self, declaration: Cursor) -> Meaning | None:
        """What a declaration is; None for one without a name."""
        key = declaration.data[0]
        if key not in self._known:
            self._known[key] = self._judge(declaration)
        return self._known[key]

    def method_of(self, record: Cursor, method: Meaning) -> Meaning:
        """A method as the tables may know it, by the class of the object that it is called on.

        CUDA's classes take many of their methods from bases that nobody names.
        """
        name = f"{qualified_name(record)}::{method.word}"
        known = name in self._vocabulary.tables.names and not self._is_owned(name)
        return Meaning(method.word, name) if known else method

    def as_written(self, meaning: Meaning, chain: str) -> Meaning:
        """One of CUDA's names under the qualified name in the source, where the tables list that.

        It may be declared under an inner one: ``thrust::cuda::par`` in ``thrust::cuda_cub``.
        """
        if "::" not in chain or chain == meaning.symbol:
            return meaning
        known = chain in self._vocabulary.tables.names and not self._is_owned(chain)
        return replace(meaning, symbol=chain) if known else meaning

    def _is_owned(self, symbol: str) -> bool:
        """Whether a name is that of a library which the tree is itself."""
        return bool(symbol and self._own) and owned_by(symbol) in self._own

    def _is_absent(self, name: str) -> bool:
        """Whether a header that was not found may say otherwise of a name."""
        return bool(self._absent) and self._vocabulary.tables.library_of(name) in self._absent

    def _is_unread(self, word: str) -> bool:
        """Whether a word is one of CUDA's names of a library of which no header was read."""
        vocabulary = self._vocabulary
        return (
            word in vocabulary.tables.names
            and vocabulary.lookalike.fullmatch(word.encode()) is not None
            and vocabulary.tables.library_of(word) not in self._read
        )

    def _is_fill_in(self, declaration: Cursor, word: str) -> bool:
        """Whether the tree declares one of CUDA's names at file scope where CUDA's is not seen."""
        if not self._is_unread(word):
            return False
        parent = declaration.semantic_parent
        if parent._kind_id == _ENUM:  # noqa: SLF001
            parent = parent.semantic_parent
        return parent._kind_id in _OUTER  # noqa: SLF001

    def macro(self, name: str, definition: Cursor) -> Meaning | None:
        """What a macro is; None where nobody would take its name for one of CUDA's."""
        where = _file_name(definition)
        key = (name, where)
        if key not in self._macros:
            self._macros[key] = self._judge_macro(name, where)
        return self._macros[key]

    def tree_path(self, file: Any) -> str:  # noqa: ANN401
        """The path relative to the root of one of the tree's files, "" for others."""
        if file is None:
            return ""
        name = os.path.normpath(str(file.name))
        if not name.startswith(self._root):
            return ""
        return printable_path(name.removeprefix(self._root).replace(os.sep, "/"))

    def _judge_macro(self, name: str, where: str) -> Meaning | None:
        if not self._is_telling(name):
            return None
        if self._home(where) is _Home.TREE:
            doubtful = self._is_absent(name) or self._is_unread(name)
            return None if doubtful else Meaning(name, "")
        known = self._vocabulary.knows(name)
        return Meaning(name, name) if known or self._home(where) is _Home.TOOLKIT else None

    def _judge(self, declaration: Cursor) -> Meaning | None:
        word = declaration.spelling
        if not word:
            return None
        where = _file_name(declaration)
        home = self._home(where)
        telling = self._is_telling(word)
        if home is _Home.TREE:
            symbol = self._symbol_in_tree(declaration, word, where) if telling else ""
        else:
            symbol = self._symbol(declaration, word, home)
        if self._is_owned(symbol) or (not symbol and self._is_absent(word)):
            return Meaning(word, "", telling=False)
        if home is _Home.TREE and not symbol and self._is_fill_in(declaration, word):
            return Meaning(word, "", telling=False)
        if home is _Home.TOOLKIT and not symbol:
            return Meaning(word, "", telling=False, unlisted=telling)
        member = declaration._kind_id == _FIELD  # noqa: SLF001
        return Meaning(word, symbol, telling=telling or bool(symbol), member=member)

    def _symbol_in_tree(self, declaration: Cursor, word: str, where: str) -> str:
        """CUDA's name of what the tree declares itself: in a copy of a library, or once more."""
        if self._is_redeclared(declaration, word):
            return word
        first = declaration.canonical
        if self._home(_file_name(first)) is _Home.TOOLKIT:
            return self._symbol(first, word, _Home.TOOLKIT)
        name = qualified_name(declaration)
        namespace, separator, _ = name.partition("::")
        copied = bool(separator) and f"{os.sep}{namespace}{os.sep}" in where
        return self._symbol(declaration, word, _Home.OTHER) if copied else ""

    def _is_redeclared(self, declaration: Cursor, word: str) -> bool:
        """Whether a project declares one of CUDA's own names, as programs that load CUDA do.

        It stands at file scope and has no body: a type, a pointer to the function, a prototype
        with C's linkage (an overload is another function).
        """
        if word not in self._vocabulary.tables.names:
            return False
        if declaration.semantic_parent._kind_id not in _OUTER:  # noqa: SLF001
            return False
        kind = declaration._kind_id  # noqa: SLF001
        if kind == _FUNCTION:
            return declaration.get_definition() is None and declaration.mangled_name == word
        if kind == _VARIABLE:
            return is_type_of_pointer_to_function(declaration.type)
        return kind in _TYPES

    def _symbol(self, declaration: Cursor, word: str, home: _Home) -> str:
        """CUDA's name of something that is declared outside the tree, "" where it is not CUDA's."""
        name = qualified_name(declaration)
        parent = declaration.semantic_parent
        in_class = parent is not None and parent._kind_id in _RECORDS  # noqa: SLF001
        tables = self._vocabulary.tables
        for candidate in self._spellings(name, in_class=in_class):
            if candidate in tables.names or (not in_class and tables.knows(candidate)):
                return candidate
        if in_class or home is _Home.OTHER or name in tables.not_uses:
            return ""
        return name if self._vocabulary.lookalike.fullmatch(word.encode()) else ""

    def _spellings(self, name: str, *, in_class: bool) -> Sequence[str]:
        """A name as the tables may have it: structs by their type, not by their tag."""
        if not in_class:
            bare = _TAG.sub("", name)
            return (name, bare, f"{bare}_t")
        record, _, member = name.rpartition("::")
        bare = _TAG.sub("", record)
        return (name, f"{bare}::{member}", f"{bare}_t::{member}")

    def _is_telling(self, word: str) -> bool:
        """Whether the tables know the word, alone or in a namespace or struct, or its form."""
        known = self._words.get(word)
        if known is None:
            vocabulary = self._vocabulary
            known = self._words[word] = (
                word in self._components
                or vocabulary.knows(word)
                or vocabulary.lookalike.fullmatch(word.encode()) is not None
            )
        return known

    def _home(self, file: str) -> _Home:
        home = self._homes.get(file)
        if home is None:
            home = self._homes[file] = self._find_home(os.path.normpath(file) if file else "")
        return home

    def _find_home(self, file: str) -> _Home:
        if any(file.startswith(folder) for folder in self._toolkit):
            return _Home.TOOLKIT
        if file.startswith(self._root):
            return _Home.TREE
        if file.startswith(self._resources):
            ours = os.path.basename(file).startswith(_CUDA_BUILTIN)  # noqa: PTH119 - a text
            return _Home.TOOLKIT if ours else _Home.OTHER
        return _Home.OTHER


def _file_name(cursor: Cursor) -> str:
    """The file in which a cursor stands as libclang opened it, "" for none."""
    file = file_place(cursor)[0]
    return "" if file is None else str(file.name)
