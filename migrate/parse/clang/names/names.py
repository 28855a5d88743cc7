"""What the names in a unit's files mean: CUDA's, with the name in full, or the project's own."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from clang import cindex

from migrate.model.facts import UseKind
from migrate.model.semantic import Answer, AnswerTable, FileAnswers, FunctionPlace, MacroUse
from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    call_arguments,
    callee,
    children,
    file_place,
    overloads,
    referenced,
    spelling_place,
)
from migrate.parse.clang.names.declarations import Declarations, Meaning
from migrate.parse.clang.walk import FunctionAt, TreeFiles
from migrate.parse.lines import LineIndex

_WORD = re.compile(rb"[A-Za-z_]\w*")
_QUALIFIER = re.compile(rb"(?<![\w])[A-Za-z_]\w*\s*::\s*\Z")
_REACH = 120
_DEEPEST = 8
_CALLED_WORD = re.compile(rb"\w+\s*\(")
_MARK = b"\xef\xbb\xbf"
_LAUNCH = "<<<>>>"
_CONFIGURE = frozenset({"__cudaPushCallConfiguration", "cudaConfigureCall"})

_REFERENCES = (
    Kind.DECL_REF_EXPR,
    Kind.MEMBER_REF_EXPR,
    Kind.MEMBER_REF,
    Kind.TYPE_REF,
    Kind.TEMPLATE_REF,
    Kind.OVERLOADED_DECL_REF,
)
_DECLARED = (
    *(Kind.FUNCTION_DECL, Kind.FUNCTION_TEMPLATE, Kind.CXX_METHOD, Kind.VAR_DECL, Kind.PARM_DECL),
    *(Kind.FIELD_DECL, Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.UNION_DECL, Kind.CLASS_TEMPLATE),
    *(Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.CLASS_DECL),
    *(Kind.ENUM_DECL, Kind.ENUM_CONSTANT_DECL, Kind.TYPEDEF_DECL, Kind.TYPE_ALIAS_DECL),
)


class _Row(NamedTuple):
    symbol: str
    answer: Answer
    kind: UseKind
    arguments: int
    function: FunctionAt | None
    pasted: bool
    macro: bool
    alias: str


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's bytes as libclang counts them, and where its offsets are for a reader."""

    data: bytes
    index: LineIndex
    shift: int

    @classmethod
    def of(cls, data: bytes) -> SourceText:
        """Take a file's bytes; a byte-order mark counts for libclang, not for a reader."""
        bare = data.removeprefix(_MARK)
        return cls(bare, LineIndex(bare), len(data) - len(bare))

    def word(self, offset: int) -> str:
        """The word at an offset of libclang's, "" where none stands there."""
        match = _WORD.match(self.data, offset - self.shift)
        return match[0].decode() if match else ""

    def calls(self, offset: int) -> bool:
        """Whether a bracket follows the word at an offset."""
        return _CALLED_WORD.match(self.data, offset - self.shift) is not None

    def chain_start(self, offset: int) -> int:
        """Where the qualified name begins whose last part stands at an offset: ``a::b::c`` at a."""
        start = offset - self.shift
        for _ in range(_DEEPEST):
            match = _QUALIFIER.search(self.data, max(0, start - _REACH), start)
            if match is None:
                break
            start = match.start()
        return start + self.shift

    def chain(self, offset: int) -> str:
        """The qualified name as written whose last part stands at an offset: ``a::b::c``."""
        start = self.chain_start(offset) - self.shift
        qualifiers = b"".join(self.data[start : offset - self.shift].split())
        return f"{qualifiers.decode()}{self.word(offset)}"


class NameObserver:
    """Gathers an answer for each name at its place, by file.

    ``macros`` are the project's macros with CUDA names in their body; their expansions are counted.
    """

    def __init__(
        self,
        files: TreeFiles,
        texts: Mapping[str, SourceText],
        declarations: Declarations,
        macros: Iterable[tuple[str, str, int]] = (),
    ) -> None:
        self._files = files
        self._texts = texts
        self._declarations = declarations
        self._rows: dict[str, dict[tuple[int, int, str], _Row]] = defaultdict(dict)
        self._counted: dict[tuple[str, int], int] = {}
        self._wanted = {name for name, _, _ in macros}
        self._expansions: dict[str, Counter[tuple[str, str, int]]] = defaultdict(Counter)

    @property
    def looks(self) -> Mapping[int, Callable[[Cursor, FunctionAt | None], None]]:
        """The cursors that name something."""
        return {
            **{kind.value: self._reference for kind in _REFERENCES},
            **{kind.value: self._declaration for kind in _DECLARED},
            Kind.CALL_EXPR.value: self._call,
            Kind.MACRO_INSTANTIATION.value: self._macro,
            Kind.ASM_STMT.value: self._asm,
        }

    def _reference(self, cursor: Cursor, function: FunctionAt | None) -> None:
        target = referenced(cursor)
        if target is None:
            return
        if target._kind_id == _OVERLOADED:  # noqa: SLF001
            meaning = self._overloaded(target)
        else:
            meaning = self._declarations.meaning(target)
        if meaning is not None and meaning.unlisted and target._kind_id == _METHOD:  # noqa: SLF001
            meaning = self._method(cursor, meaning)
        if meaning is None or not meaning.telling:
            return
        file, _, _, offset = file_place(cursor)
        path = self._files.path(file)
        text = self._texts.get(path)
        if text is None:
            return
        kind = UseKind.MEMBER if meaning.member else UseKind.NAME
        if text.word(offset) == meaning.word:
            if "::" in meaning.symbol:
                meaning = self._declarations.as_written(meaning, text.chain(offset))
            self._put(path, offset, meaning, kind, function)
            return
        file, _, _, spelled = spelling_place(cursor)
        if file is not None:
            self._in_body(self._files.path(file), spelled, meaning)
        elif meaning.symbol:
            self._put(path, offset, meaning, kind, function, pasted=True)

    def _in_body(self, path: str, offset: int, meaning: Meaning) -> None:
        """A name that comes of a macro's body is said of its place in there, once."""
        text = self._texts.get(path)
        if text is not None and text.word(offset) == meaning.word:
            self._put(path, offset, meaning, UseKind.MACRO_BODY, None)

    def _method(self, cursor: Cursor, meaning: Meaning) -> Meaning:
        """A method by the class of its object."""
        found = children(cursor) if cursor._kind_id == _MEMBER else ()  # noqa: SLF001
        for _ in range(_DEEPEST):
            if not found:
                break
            type_ = found[0].type.get_canonical()
            record = (type_.get_pointee() if type_.kind in _POINTERS else type_).get_declaration()
            known = self._declarations.method_of(record, meaning) if record.spelling else meaning
            if known is not meaning:
                return known
            # A method of a base is called on a cast to the base; what is cast is what was written.
            found = children(found[0]) if found[0]._kind_id == _CAST else ()  # noqa: SLF001
        return meaning

    def _overloaded(self, target: Cursor) -> Meaning | None:
        """What all functions of an overload set are, where they are all the same."""
        meanings = {self._declarations.meaning(one) for one in overloads(target)}
        return meanings.pop() if len(meanings) == 1 else None

    def _declaration(self, cursor: Cursor, function: FunctionAt | None) -> None:
        """A name that is declared here is none of CUDA's, unless CUDA's function is declared."""
        meaning = self._declarations.meaning(cursor)
        if meaning is None or not meaning.telling or meaning.symbol:
            return
        file, _, _, offset = file_place(cursor)
        path = self._files.path(file)
        text = self._texts.get(path)
        if text is not None and text.word(offset) == meaning.word:
            self._put(path, offset, meaning, UseKind.NAME, function)

    def _call(self, cursor: Cursor, function: FunctionAt | None) -> None:
        target = referenced(cursor)
        if target is None or target._kind_id not in _CALLED:  # noqa: SLF001
            return
        meaning = self._declarations.meaning(target)
        if meaning is None:
            return
        if meaning.word in _CONFIGURE:
            self._launch(cursor, function)
            return
        if not meaning.symbol and not meaning.unlisted:
            return
        named = callee(cursor)
        file, _, _, offset = file_place(named)
        path = self._files.path(file)
        if path:
            self._counted.setdefault((path, offset), call_arguments(cursor))

    def _launch(self, cursor: Cursor, function: FunctionAt | None) -> None:
        device = function is not None and function.device
        kind = UseKind.DEVICE_LAUNCH if device else UseKind.LAUNCH
        # A launch in a macro's body stands there, not in the functions that use the macro.
        for place, around in ((file_place, function), (spelling_place, None)):
            file, _, _, offset = place(cursor)
            path = self._files.path(file)
            text = self._texts.get(path)
            if text is not None and text.data.startswith(b"<<<", offset - text.shift):
                self._put(path, offset, Meaning(_LAUNCH, _LAUNCH), kind, around)
                return

    def _asm(self, cursor: Cursor, function: FunctionAt | None) -> None:
        file, _, _, offset = file_place(cursor)
        path = self._files.path(file)
        text = self._texts.get(path)
        if text is not None and "asm" in text.word(offset):
            self._put(path, offset, Meaning("asm", "asm"), UseKind.ASM, function)

    def _macro(self, cursor: Cursor, function: FunctionAt | None) -> None:
        """A macro's expansion: CUDA's own macro, or one of the project's."""
        name = cursor.spelling
        definition = referenced(cursor)
        wanted = name in self._wanted
        meaning = self._declarations.macro(name, definition) if definition is not None else None
        if meaning is None and not wanted:
            return
        file, _, _, offset = file_place(cursor)
        path = self._files.path(file)
        text = self._texts.get(path)
        if text is None:
            return
        if wanted and definition is not None:
            source, line, _, _ = file_place(definition)
            self._expansions[path][name, self._declarations.tree_path(source), line] += 1
        if meaning is not None and text.word(offset) == name:
            kind = UseKind.CALL if text.calls(offset) else UseKind.NAME
            self._put(path, offset, meaning, kind, function, macro=True)

    def _put(
        self,
        path: str,
        offset: int,
        meaning: Meaning,
        kind: UseKind,
        function: FunctionAt | None,
        *,
        pasted: bool = False,
        macro: bool = False,
    ) -> None:
        """Put an answer down; of several for a place CUDA's wins, then the first.

        What a ``macro``'s name stands for comes first, whatever comes of it.
        """
        rows = self._rows[path]
        word = meaning.symbol if pasted else ""
        alone = pasted or (meaning.symbol and "::" not in meaning.symbol) or meaning.member
        start = offset if alone else self._texts[path].chain_start(offset)
        key = (start, offset, word)
        known = rows.get(key)
        if known is not None and not macro and (known.symbol or not meaning.symbol):
            return
        answer = Answer.API if meaning.symbol else Answer.OWN
        alias = self._alias(path, start, meaning.symbol) if start != offset else ""
        rows[key] = _Row(meaning.symbol, answer, kind, -1, function, pasted, macro, alias)

    def _alias(self, path: str, start: int, symbol: str) -> str:
        """The first word of a qualified name, "" where it is CUDA's namespace itself."""
        head = self._texts[path].word(start)
        return "" if head == symbol.partition("::")[0] else head

    def finish(self) -> tuple[FileAnswers, ...]:
        """The answers of each file, in order of path and place."""
        return tuple(
            FileAnswers(path=path, table=self._table(path), macros=self._macro_uses(path))
            for path in sorted(self._rows.keys() | self._expansions.keys())
        )

    def _macro_uses(self, path: str) -> tuple[MacroUse, ...]:
        return tuple(
            MacroUse(name=name, defined_in=source, line=line, expansions=count)
            for (name, source, line), count in sorted(self._expansions[path].items())
        )

    def _table(self, path: str) -> AnswerTable:
        text = self._texts[path]
        rows = [
            (start, self._with_arguments(path, offset, row))
            for (start, offset, _), row in sorted(self._rows[path].items(), key=itemgetter(0))
        ]
        symbols = sorted({row.symbol for _, row in rows})
        number = {symbol: index for index, symbol in enumerate(symbols)}
        aliases = ("", *sorted({row.alias for _, row in rows} - {""}))
        functions, numbers = _functions(row.function for _, row in rows)
        places = [text.index.place(start - text.shift) for start, _ in rows]
        return AnswerTable(
            symbols=tuple(symbols),
            functions=functions,
            symbol=array("I", [number[row.symbol] for _, row in rows]),
            line=array("I", [line for line, _ in places]),
            column=array("I", [column for _, column in places]),
            answer=array("B", [int(row.answer) for _, row in rows]),
            kind=array("B", [int(row.kind) for _, row in rows]),
            arguments=array("I", [row.arguments + 1 for _, row in rows]),
            function=array(
                "I", [numbers[row.function.key] if row.function else 0 for _, row in rows]
            ),
            pasted=array("B", [row.pasted for _, row in rows]),
            line_hash=array("I", [text.index.line_hash(line) for line, _ in places]),
            aliases=aliases,
            alias=array("I", [aliases.index(row.alias) for _, row in rows]),
        )

    def _with_arguments(self, path: str, offset: int, row: _Row) -> _Row:
        count = self._counted.get((path, offset), -1)
        if count < 0 or not row.symbol or (row.macro and row.kind is not UseKind.CALL):
            return row
        return row._replace(arguments=count, kind=UseKind.CALL)


_METHOD, _MEMBER = Kind.CXX_METHOD.value, Kind.MEMBER_REF_EXPR.value
_CAST = Kind.UNEXPOSED_EXPR.value
_POINTERS = frozenset(
    {cindex.TypeKind.POINTER, cindex.TypeKind.LVALUEREFERENCE, cindex.TypeKind.RVALUEREFERENCE}
)
_OVERLOADED = Kind.OVERLOADED_DECL_REF.value
_CALLED = frozenset(
    kind.value for kind in (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE)
)


def _functions(
    around: Iterable[FunctionAt | None],
) -> tuple[tuple[FunctionPlace, ...], dict[str, int]]:
    """The functions around answers, each once, and their numbers (from 1) by key."""
    found = {function.key: function for function in around if function is not None}
    ordered = sorted(found.values(), key=lambda one: (one.line, one.end_line, one.key))
    places = tuple(
        FunctionPlace(
            name=one.short, line=one.line, end_line=one.end_line, side=one.side, kernel=one.kernel
        )
        for one in ordered
    )
    return places, {one.key: number for number, one in enumerate(ordered, 1)}
