"""What was found in a file put together: each use with its function, state and reader."""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from typing import NamedTuple

from migrate.model.facts import (
    SEEN_BY,
    STATES,
    AsmBlock,
    CallSite,
    Function,
    LaunchSite,
    SharedDeclaration,
    UseKind,
    UseTable,
)
from migrate.model.verdict import SeenBy, Side, State
from migrate.parse.asm import AsmText, is_ptx, short_mnemonic, worst_instruction
from migrate.parse.constructs import LaunchText, SharedText, tidy
from migrate.parse.declarations import Declared, declares_by_text, may_declare
from migrate.parse.filetext import FileText
from migrate.parse.scopes import Scope, ScopeIndex
from migrate.parse.tree import SyntaxTree
from migrate.parse.uses import FoundUse, Known

LAUNCH_SYMBOL = "<<<>>>"
_EVERYDAY_NAME = re.compile(r"[a-z]+\d?[a-z]?")
"""``rsqrt``, ``normcdf``, ``rnorm3d``: a program may well call something of its own so."""
_STANDARD_LIBRARYS = frozenset({"__all", "__any", "__half"})
"""Names that standard libraries give to variables of their own."""
_TELLING_NAME = re.compile(r"half2|h(?:exp2|log2|rsqrt|sqrt|rcp|exp|rint|tanh)")
"""Of these the names that a program without CUDA has no use for."""
_EVERYDAY_TYPES = frozenset({"half", "half2"})
_LISTED = frozenset({b"{", b","})
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+|\w+_t")


class _Row(NamedTuple):
    use: FoundUse
    scope: int
    state: State
    seen: SeenBy


class Collector:
    """Gathers a file's uses; ``defined`` are the names found to be declared by the file itself."""

    def __init__(self, text: FileText, tree: SyntaxTree | None, scopes: ScopeIndex) -> None:
        self._text = text
        self._tree = tree
        self._scopes = scopes
        self._rows: list[_Row] = []
        self.defined: set[str] = set()
        self.shims: set[str] = set()
        """CUDA names that HIP-only code declares."""
        self._variables: set[tuple[str, int, int]] = set()
        """Local variables with a CUDA name: the name, its function, the macro it is in."""
        self._own_functions: set[str] = set()
        self.calls: list[CallSite] = []
        self.launches: list[LaunchSite] = []
        self.asm_blocks: list[AsmBlock] = []
        self.in_macros: dict[int, set[str]] = defaultdict(set)
        """The symbols in macro bodies, by the offset of the ``#define``."""

    def add_use(self, use: FoundUse) -> None:
        """Take a use in, unless its place is disabled or HIP's, or the name is declared there."""
        declared = self._declared(use)
        if not self._text.regions.cuda_at(use.start):
            hip = self._text.regions.state_at(use.start) is State.HIP
            if hip and use.known and declared is not Declared.NOT:
                self.shims.add(use.symbol)
            return
        scope = self._scopes.at(use.start) if use.kind is not UseKind.MACRO_BODY else -1
        if declared is not Declared.NOT:
            self._take_declaration(use, scope, declared)
            return
        if self._is_own(use, scope) or not (use.known or _convincing(use)):
            return
        if use.kind is UseKind.DIRECTIVE and use.known is not Known.NAMED:
            return  # a project's own switch, as NVTX_ENABLED: CUDA's macros have rows
        if use.variable >= 0 and not self._scopes.holds(self._scopes.at(use.variable), use.start):
            return
        state = self._add(use, scope)
        if use.opening >= 0:
            self._add_call(use, scope, state)

    def _is_own(self, use: FoundUse, scope: int) -> bool:
        """Whether the name is the project's own here, a variable, a function or an everyday one."""
        if use.symbol in self._own_functions:
            return True
        if (
            self._variables
            and use.kind is not UseKind.CALL
            and (use.symbol, scope, use.definition) in self._variables
        ):
            return True
        if use.symbol in _STANDARD_LIBRARYS and use.kind is UseKind.NAME:
            role = self._tree.role(use.start, use.end) if self._tree else None
            return role is not None and role.seen and not role.type_name
        return bool(_EVERYDAY_NAME.fullmatch(use.symbol)) and not self._everyday_use(use, scope)

    def _take_declaration(self, use: FoundUse, scope: int, declared: Declared) -> None:
        """Keep what a declaration says of the other places at which the name stands.

        A prototype may be one of CUDA's own functions, unless only the name's form is CUDA's.
        """
        if use.before == b"auto":
            self._variables.add((use.symbol, scope, use.definition))
        if declared is not Declared.DEFINED:
            if not use.known:
                self.defined.add(use.symbol)
            return
        if not use.known or use.symbol in _EVERYDAY_TYPES or self._is_variable(use):
            self.defined.add(use.symbol)
        elif use.kind is UseKind.CALL and (
            "::" in use.symbol or _EVERYDAY_NAME.fullmatch(use.symbol)
        ):
            self._own_functions.add(use.symbol)

    def _is_variable(self, use: FoundUse) -> bool:
        """Whether a name in a library's style is declared as a variable: ``nppStreamCtx``.

        A pointer to a function bears the name of what it points to, so it tells nothing.
        """
        if use.known is not Known.FAMILY or use.kind is not UseKind.NAME:
            return False
        masked = self._text.code.masked
        star = masked.rfind(b"*", 0, use.start)
        return use.before != b"*" or masked[star - 1 : star] != b"("

    def _declared(self, use: FoundUse) -> Declared:
        """Whether the file declares the name at this place: it is no use of CUDA's then."""
        if use.before == b"auto" and (use.kind is UseKind.NAME or use.kind is UseKind.MACRO_BODY):
            return Declared.DEFINED
        called = use.kind is UseKind.CALL
        if not (called or use.kind is UseKind.NAME) or not may_declare(use.before):
            return self._enumerator(use)
        if "::" in use.symbol and use.end - use.start != len(use.symbol.rpartition("::")[2]):
            return Declared.NOT
        if called and self._scopes.in_body(use.start):
            # Behind a word, `dim3 cudaGrid(n);`, brackets hold what a variable is made with.
            made = not use.known and use.before[-1:].isalnum()
            return Declared.DEFINED if made else Declared.NOT
        if self._tree is not None and self._tree.reads(use.start):
            role = self._tree.role(use.start, use.end)
            if role.seen:
                return role.declared
        return self._declared_by_text(use)

    def _enumerator(self, use: FoundUse) -> Declared:
        """Whether a name with a CUDA name's form is in a list that declares it: an enumeration."""
        if use.known or use.kind is not UseKind.NAME or use.before not in _LISTED:
            return Declared.NOT
        if self._tree is None or not self._tree.reads(use.start):
            return Declared.NOT
        return self._tree.role(use.start, use.end).declared

    def _declared_by_text(self, use: FoundUse) -> Declared:
        closed = self._text.code.brackets.arguments(use.opening) if use.opening >= 0 else None
        if closed is None:
            return Declared.NOT
        return declares_by_text(
            self._text.code.masked,
            use.start,
            use.before,
            closed[1],
            at_file_scope=self._scopes.at(use.start) < 0,
        )

    def _everyday_use(self, use: FoundUse, scope: int) -> bool:
        """Whether a name like ``rsqrt`` or ``half`` is CUDA's here.

        Functions are where device code calls them. Types are in a CUDA file that gives their name
        to nothing else, and beside that wherever the tree takes the name for a type. A file may be
        CUDA's by what it includes indirectly: a name that is only CUDA's needs no other sign.
        """
        if not self._text.cuda_code and not _TELLING_NAME.fullmatch(use.symbol):
            return False
        if use.symbol in _EVERYDAY_TYPES:
            return use.symbol not in self.defined or (
                self._tree is not None and self._tree.role(use.start, use.end).type_name
            )
        if use.kind is UseKind.NAME:
            return False
        return self._scopes.side(scope) is not Side.HOST

    def _add(self, use: FoundUse, scope: int) -> State:
        """Put a use's row down; its state."""
        state = self._text.regions.state_at(use.start) or State.ACTIVE
        seen = SeenBy.TREE if self._tree and self._tree.reads(use.start) else SeenBy.TEXT
        self._rows.append(_Row(use, scope, state, seen))
        if use.definition >= 0:
            self.in_macros[use.definition].add(use.symbol)
        return state

    def _scope_or_macro(self, offset: int) -> tuple[int, int]:
        """The number of the function around a place, and the offset of the directive it is in."""
        directive = self._text.code.directives.at(offset)
        return (self._scopes.at(offset), -1) if directive is None else (-1, directive.start)

    def _add_call(self, use: FoundUse, scope: int, state: State) -> None:
        split = self._text.code.brackets.arguments(use.opening)
        if split is None:
            return
        line, column = self._text.index.place(use.start)
        self.calls.append(
            CallSite(
                symbol=use.symbol,
                line=line,
                column=column,
                arguments=tuple(tidy(self._text.data[start:end]) for start, end in split[0]),
                function=self._scopes.name(scope),
                state=state,
            )
        )

    def add_launch(self, launch: LaunchText, *, through_macro: bool = False) -> None:
        """Take a ``<<<...>>>`` launch in; one in device code is a launch of another kind.

        Where a macro of the project launches, the use is in that macro's body.
        """
        if not self._text.regions.cuda_at(launch.start):
            return
        scope, definition = self._scope_or_macro(launch.start)
        side = self._scopes.side(scope)
        state = self._text.regions.state_at(launch.start) or State.ACTIVE
        if not through_macro:
            kind = UseKind.DEVICE_LAUNCH if side is Side.DEVICE else UseKind.LAUNCH
            place = (launch.start, launch.start + 3)
            self._add(FoundUse(*place, LAUNCH_SYMBOL, kind, definition=definition), scope)
        line, column = self._text.index.place(launch.start)
        grid, block, shared, stream = (*launch.parts, "", "", "", "")[:4]
        self.launches.append(
            LaunchSite(
                kernel=launch.kernel,
                line=line,
                column=column,
                grid=grid,
                block=block,
                shared=shared,
                stream=stream,
                function=self._scopes.name(scope),
                side=side,
                state=state,
            )
        )

    def add_reference(self, use: FoundUse) -> None:
        """Take a texture or surface reference in: they are declared outside of functions."""
        scope, definition = self._scope_or_macro(use.start)
        if scope < 0 and self._text.cuda_code and self._text.regions.cuda_at(use.start):
            self._add(use._replace(definition=definition), scope)

    def add_asm(self, block: AsmText, *, cuda: bool) -> None:
        """Take a PTX statement in; a host processor's assembly is none of ours."""
        if not self._text.regions.cuda_at(block.start):
            return
        scope, definition = self._scope_or_macro(block.start)
        device = self._scopes.side(scope) in {Side.DEVICE, Side.BOTH}
        if not (is_ptx(block.mnemonics) or device or (cuda and not block.complete)):
            return
        worst = short_mnemonic(worst_instruction(block.mnemonics)) if block.mnemonics else "?"
        use = FoundUse(block.start, block.end, f"asm:{worst}", UseKind.ASM, definition=definition)
        state = self._add(use, scope)
        line, column = self._text.index.place(block.start)
        self.asm_blocks.append(
            AsmBlock(
                line=line,
                end_line=self._text.index.line(block.end - 1),
                column=column,
                text=block.text,
                mnemonics=block.mnemonics,
                operands=block.operands,
                complete=block.complete,
                function=self._scopes.name(scope),
                state=state,
            )
        )

    def shared_declaration(self, shared: SharedText) -> SharedDeclaration:
        """Give a ``__shared__`` variable its place and function."""
        return SharedDeclaration(
            name=shared.name,
            line=self._text.index.line(shared.start),
            type=shared.type,
            extent=shared.extent,
            dynamic=shared.dynamic,
            function=self._scopes.name(self._scopes.at(shared.start)),
        )

    def finish(self) -> tuple[tuple[Function, ...], UseTable]:
        """The functions worth keeping (kernels and those with uses) and the table of uses."""
        used = {row.scope for row in self._rows if row.scope >= 0}
        kept = [
            number
            for number, scope in enumerate(self._scopes.scopes)
            if number in used or (scope.kernel and self._text.regions.cuda_at(scope.body))
        ]
        numbers = {scope: number for number, scope in enumerate(kept, 1)}
        functions = tuple(self._function(number) for number in kept)
        return functions, self._table(numbers)

    def _function(self, number: int) -> Function:
        scope: Scope = self._scopes.scopes[number]
        return Function(
            name=self._scopes.name(number),
            line=self._text.index.line(scope.start),
            end_line=self._text.index.line(scope.end - 1),
            side=scope.side,
            kernel=scope.kernel,
            attributes=scope.attributes,
            state=self._text.regions.state_at(scope.body) or State.ACTIVE,
        )

    def _table(self, numbers: dict[int, int]) -> UseTable:
        unique = {(row.use.start, row.use.symbol): row for row in self._rows}
        rows = [unique[place] for place in sorted(unique)]
        symbols = sorted({row.use.symbol for row in rows})
        number = {symbol: index for index, symbol in enumerate(symbols)}
        index = self._text.index
        places = [index.place(row.use.start) for row in rows]
        return UseTable(
            symbols=tuple(symbols),
            symbol=array("I", [number[row.use.symbol] for row in rows]),
            line=array("I", [line for line, _ in places]),
            end_line=array("I", [index.line(row.use.end - 1) for row in rows]),
            column=array("I", [column for _, column in places]),
            function=array("I", [numbers.get(row.scope, 0) for row in rows]),
            state=array("B", [STATES.index(row.state) for row in rows]),
            kind=array("B", [int(row.use.kind) for row in rows]),
            arguments=array("I", [row.use.arguments + 1 for row in rows]),
            seen_by=array("B", [SEEN_BY.index(row.seen) for row in rows]),
            known=array("B", [int(row.use.known) for row in rows]),
            line_hash=array("I", [index.line_hash(line) for line, _ in places]),
        )


def _convincing(use: FoundUse) -> bool:
    """Whether a name without a row is used as a CUDA function, constant or type would be."""
    return use.opening >= 0 or _CONSTANT.fullmatch(use.symbol) is not None
