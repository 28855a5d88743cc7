"""One C-family file read: text first, the syntax tree where there is something to tell."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass

from migrate.model.facts import (
    SEEN_BY,
    STATES,
    AsmBlock,
    CallSite,
    Conditional,
    FileFacts,
    Function,
    Include,
    LaunchSite,
    MacroDefinition,
    SharedDeclaration,
    UseKind,
    UseTable,
)
from migrate.model.source import Language
from migrate.model.verdict import SeenBy, Side, State
from migrate.parse.brackets import split_arguments
from migrate.parse.conditionals import Regions, read_regions
from migrate.parse.conditions import ProjectMacros
from migrate.parse.constructs import (
    find_asm,
    find_launches,
    find_shared,
    is_ptx,
    short_mnemonic,
    worst_instruction,
)
from migrate.parse.directives import Directives, defined_macro, included_name, read_directives
from migrate.parse.mask import (
    LineIndex,
    count_code_lines,
    decode_source,
    mask_comments_and_literals,
)
from migrate.parse.scopes import Scope, find_scopes
from migrate.parse.tree import SyntaxTree, parse_tree, word_role
from migrate.parse.uses import FoundUse, UseFinder, find_candidates, words_of
from migrate.parse.vocabulary import ASM_WORDS, KERNEL_WORDS, Vocabulary

_HIP_HEADER = re.compile(r"hip/\w|hip(?:blas|rand|fft|sparse|solver|cub|dnn)|rocblas|miopen|rccl")
_CUDA_HEADER = re.compile(
    r"cuda|cublas|cudnn|cufft|curand|cusparse|cusolver|nccl|nvrtc|cub/|thrust/"
)
_SHORT_NAME = re.compile(r"[a-z]+\d?")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+|\w+_t")
LAUNCH_SYMBOL = "<<<>>>"
_STATE_CODES = {state: code for code, state in enumerate(STATES)}
_SEEN_CODES = {seen: code for code, seen in enumerate(SEEN_BY)}


def read_source(
    data: bytes, path: str, language: Language, vocabulary: Vocabulary, macros: ProjectMacros
) -> FileFacts:
    """Read one C-family file's bytes into facts; never raises for what the file holds."""
    data = decode_source(data)
    masked = mask_comments_and_literals(data)
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    code_lines = count_code_lines(masked)
    directives = read_directives(masked)
    words = words_of(masked)
    candidates = find_candidates(words, vocabulary)
    includes_found = _includes(data, directives)
    hip_file = language is Language.HIP
    interesting = candidates or words & (ASM_WORDS | KERNEL_WORDS) or b"<<<" in masked
    if not interesting:
        regions = read_regions(masked, macros, hip_file=hip_file)
        return FileFacts(
            path=path, language=language, lines=lines, code_lines=code_lines,
            includes=_place_includes(includes_found, LineIndex.of(data), regions),
            hip=hip_file or _is_hip(includes_found, regions),
            defined=_namespaces_defined(masked),
        )  # fmt: skip
    regions = read_regions(masked, macros, hip_file=hip_file)
    if not hip_file and _is_hip(includes_found, regions):
        hip_file = True
        regions = read_regions(masked, macros, hip_file=True)
    text = _Text(data, masked, LineIndex.of(data), directives, regions)
    finder = UseFinder(masked, directives, vocabulary)
    found = [
        *finder.plain_uses(candidates),
        *finder.qualified_uses(words),
        *finder.member_uses(words),
    ]
    tree = parse_tree(data) if found or words & KERNEL_WORDS or b"<<<" in masked else None
    collector = _Collector(text, tree)
    for use in found:
        collector.add_use(use, finder)
    collector.add_launches()
    collector.add_asm(cuda=language is Language.CUDA)
    functions, table = collector.finish()
    return FileFacts(
        path=path,
        language=language,
        lines=lines,
        code_lines=code_lines,
        error_nodes=tree.error_nodes if tree else -1,
        hip=hip_file,
        uses=table,
        functions=functions,
        calls=tuple(collector.calls),
        launches=tuple(collector.launches),
        asm_blocks=tuple(collector.asm_blocks),
        shared=collector.shared_declarations(),
        includes=_place_includes(includes_found, text.index, regions),
        macros=_macro_definitions(text, table),
        conditionals=_conditionals(text),
        defined=frozenset(finder.defined) | _namespaces_defined(masked),
    )


@dataclass(frozen=True, slots=True)
class _Text:
    data: bytes
    masked: bytes
    index: LineIndex
    directives: Directives
    regions: Regions


def _includes(data: bytes, directives: Directives) -> list[tuple[int, str, bool]]:
    found = []
    for line in directives.lines:
        if line.word in {"include", "include_next", "import"}:
            named = included_name(data, line)
            if named is not None:
                found.append((line.start, *named))
    return found


def _is_hip(includes: list[tuple[int, str, bool]], regions: Regions) -> bool:
    """Whether the whole file is HIP code: it includes HIP headers in every build and no CUDA ones."""
    active = [name for at, name, _ in includes if regions.state_at(at) is State.ACTIVE]
    return any(_HIP_HEADER.match(name) for name in active) and not any(
        _CUDA_HEADER.match(name) for name in active
    )


def _place_includes(
    found: list[tuple[int, str, bool]], index: LineIndex, regions: Regions
) -> tuple[Include, ...]:
    placed = []
    for at, name, quoted in found:
        state = regions.state_at(at)
        if state is not None:
            placed.append(Include(name=name, line=index.line(at), quoted=quoted, state=state))
    return tuple(placed)


_NAMESPACE = re.compile(rb"\bnamespace\s+([A-Za-z_]\w*)\s*(?:::[\w:\s]*)?\{")


def _namespaces_defined(masked: bytes) -> frozenset[str]:
    return frozenset(f"{match[1].decode()}::" for match in _NAMESPACE.finditer(masked))


class _Collector:
    """Gathers a file's uses and gives each its function, state and reader."""

    def __init__(self, text: _Text, tree: SyntaxTree | None) -> None:
        self._text = text
        self._tree = tree
        self._scopes = _joined_scopes(text.masked, tree)
        self._starts = [scope.start for scope in self._scopes]
        self._rows: list[tuple[int, int, str, int, State, UseKind, int, SeenBy, bool]] = []
        self._used_scopes: set[int] = set()
        self.calls: list[CallSite] = []
        self.launches: list[LaunchSite] = []
        self.asm_blocks: list[AsmBlock] = []

    def _scope_at(self, offset: int) -> int:
        """Index of the innermost function around an offset, -1 at file scope."""
        index = bisect_right(self._starts, offset) - 1
        while index >= 0:
            scope = self._scopes[index]
            if offset < scope.end:
                return index
            index = -1 if index == 0 else self._enclosing(index - 1, offset)
        return -1

    def _enclosing(self, index: int, offset: int) -> int:
        for candidate in range(index, max(-1, index - 64), -1):
            if self._scopes[candidate].end > offset:
                return candidate
        return -1

    def add_use(self, use: FoundUse, finder: UseFinder) -> None:
        """Take a use in, unless its place is disabled, HIP's, or the name is only declared there."""
        state = self._text.regions.state_at(use.start)
        if state is None or state is State.HIP:
            return
        seen = SeenBy.TEXT
        if (
            self._tree is not None
            and use.kind in {UseKind.NAME, UseKind.CALL}
            and "::" not in use.symbol
        ):
            role = word_role(self._tree, use.start, use.end)
            if role.declared:
                if not use.known:
                    finder.defined.add(use.symbol)
                return
            if role.seen and use.kind is UseKind.NAME and not role.type_name:
                if _SHORT_NAME.fullmatch(use.symbol):
                    return
            if role.seen:
                seen = SeenBy.TREE
        elif self._tree is not None and not self._tree.has_error:
            seen = SeenBy.TREE
        if not use.known and not _convincing(use):
            return
        scope = (
            -1 if use.kind in {UseKind.MACRO_BODY, UseKind.DIRECTIVE} else self._scope_at(use.start)
        )
        self._add(
            use.start, use.end, use.symbol, scope, state, use.kind, use.arguments, seen, known=use.known
        )
        if use.opening >= 0:
            self._add_call(use, scope, state)

    def _add(
        self, start: int, end: int, symbol: str, scope: int, state: State, kind: UseKind,
        arguments: int, seen: SeenBy,
        *,
        known: bool = True,
    ) -> None:  # fmt: skip
        self._rows.append((start, end, symbol, scope, state, kind, arguments, seen, known))
        if scope >= 0:
            self._used_scopes.add(scope)

    def _add_call(self, use: FoundUse, scope: int, state: State) -> None:
        split = split_arguments(self._text.masked, use.opening)
        if split is None:
            return
        line, column = self._text.index.place(use.start)
        data = self._text.data
        self.calls.append(
            CallSite(
                symbol=use.symbol,
                line=line,
                column=column,
                arguments=tuple(_argument(data[start:end]) for start, end in split[0]),
                function=self._scopes[scope].name if scope >= 0 else "",
                state=state,
            )
        )

    def add_launches(self) -> None:
        """Take the ``<<<...>>>`` launches in; one in device code is a launch of another kind."""
        for launch in find_launches(self._text.masked):
            state = self._text.regions.state_at(launch.start)
            if state is None or state is State.HIP:
                continue
            scope = self._scope_at(launch.start)
            directive = self._text.directives.at(launch.start)
            side = self._scopes[scope].side if scope >= 0 else Side.UNKNOWN
            kind = UseKind.DEVICE_LAUNCH if side is Side.DEVICE else UseKind.LAUNCH
            if directive is not None:
                scope, kind = -1, UseKind.LAUNCH
            seen = SeenBy.TREE if self._tree and not self._tree.has_error else SeenBy.TEXT
            self._add(launch.start, launch.start + 3, LAUNCH_SYMBOL, scope, state, kind, -1, seen)
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
                    side=side,
                    state=state,
                    function=self._scopes[scope].name if scope >= 0 else "",
                )  # fmt: skip
            )

    def add_asm(self, *, cuda: bool) -> None:
        """Take PTX statements in; a host processor's assembly is none of ours."""
        for block in find_asm(self._text.data, self._text.masked):
            state = self._text.regions.state_at(block.start)
            if state is None or state is State.HIP:
                continue
            scope = self._scope_at(block.start)
            side = self._scopes[scope].side if scope >= 0 else Side.UNKNOWN
            device = side in {Side.DEVICE, Side.BOTH}
            if not is_ptx(block.mnemonics) and not (device or (cuda and not block.complete)):
                continue
            worst = short_mnemonic(worst_instruction(block.mnemonics)) if block.mnemonics else "?"
            directive = self._text.directives.at(block.start)
            self._add(
                block.start, block.end, f"asm:{worst}", -1 if directive else scope, state, UseKind.ASM,
                -1, SeenBy.TREE if self._tree and not self._tree.has_error else SeenBy.TEXT,
            )  # fmt: skip
            line, column = self._text.index.place(block.start)
            self.asm_blocks.append(
                AsmBlock(
                    line=line,
                    end_line=self._text.index.line(block.end - 1),
                    column=column,
                    text=block.text,
                    mnemonics=block.mnemonics,
                    complete=block.complete,
                    state=state,
                    function=self._scopes[scope].name if scope >= 0 else "",
                )  # fmt: skip
            )

    def shared_declarations(self) -> tuple[SharedDeclaration, ...]:
        """The file's ``__shared__`` variables that a CUDA build has."""
        found = []
        for shared in find_shared(self._text.masked):
            if self._text.regions.state_at(shared.start) not in {None, State.HIP}:
                scope = self._scope_at(shared.start)
                found.append(
                    SharedDeclaration(
                        name=shared.name,
                        line=self._text.index.line(shared.start),
                        type=shared.type,
                        extent=shared.extent,
                        dynamic=shared.dynamic,
                        function=self._scopes[scope].name if scope >= 0 else "",
                    )  # fmt: skip
                )
        return tuple(found)

    def finish(self) -> tuple[tuple[Function, ...], UseTable]:
        """The functions worth keeping (kernels and those with uses) and the table of uses."""
        kept = sorted(
            self._used_scopes
            | {i for i, scope in enumerate(self._scopes) if self._is_kernel(scope)}
        )
        place = {scope: number + 1 for number, scope in enumerate(kept)}
        functions = tuple(self._function(self._scopes[scope]) for scope in kept)
        return functions, self._table(place)

    def _is_kernel(self, scope: Scope) -> bool:
        return scope.kernel and self._text.regions.state_at(scope.body) not in {None, State.HIP}

    def _function(self, scope: Scope) -> Function:
        return Function(
            name=scope.name,
            line=self._text.index.line(scope.start),
            end_line=self._text.index.line(scope.end - 1),
            side=scope.side,
            kernel=scope.kernel,
            attributes=scope.attributes,
            state=self._text.regions.state_at(scope.body) or State.ACTIVE,
        )

    def _table(self, place: dict[int, int]) -> UseTable:
        rows = sorted(set(self._rows), key=lambda row: (row[0], row[2]))
        symbols = sorted({row[2] for row in rows})
        number = {symbol: index for index, symbol in enumerate(symbols)}
        places = [self._text.index.place(row[0]) for row in rows]
        return UseTable(
            symbols=tuple(symbols),
            symbol=array("I", [number[row[2]] for row in rows]),
            line=array("I", [line for line, _ in places]),
            end_line=array("I", [self._text.index.line(row[1] - 1) for row in rows]),
            column=array("I", [column for _, column in places]),
            function=array("I", [place.get(row[3], 0) for row in rows]),
            state=array("B", [_STATE_CODES[row[4]] for row in rows]),
            kind=array("B", [int(row[5]) for row in rows]),
            arguments=array("I", [row[6] + 1 for row in rows]),
            seen_by=array("B", [_SEEN_CODES[row[7]] for row in rows]),
            known=array("B", [row[8] for row in rows]),
            line_hash=array("I", [self._text.index.line_hash(line) for line, _ in places]),
        )


def _convincing(use: FoundUse) -> bool:
    """Whether a name without a row is used as a CUDA function, constant or type would be."""
    return use.opening >= 0 or _CONSTANT.fullmatch(use.symbol) is not None


def _argument(text: bytes) -> str:
    return " ".join(text.replace(b"\\\n", b" ").decode("utf-8", "replace").split())


def _joined_scopes(masked: bytes, tree: SyntaxTree | None) -> list[Scope]:
    """The tree's functions; where it has errors, those that braces show and it does not."""
    if tree is None:
        return []
    if not tree.has_error:
        return tree.scopes
    by_braces = find_scopes(masked)
    starts = [scope.start for scope in by_braces]
    sound = [scope for scope in tree.scopes if _contained(scope, by_braces, starts) <= 1]
    ends = [(scope.start, scope.end) for scope in sorted(sound, key=lambda scope: scope.start)]
    added = [scope for scope in by_braces if not _overlaps(scope, ends)]
    return sorted([*sound, *added], key=lambda scope: (scope.start, -scope.end))


def _contained(scope: Scope, others: list[Scope], starts: list[int]) -> int:
    first = bisect_right(starts, scope.body)
    last = bisect_right(starts, scope.end)
    return sum(1 for other in others[first:last] if other.end <= scope.end)


def _overlaps(scope: Scope, spans: list[tuple[int, int]]) -> bool:
    index = bisect_right(spans, (scope.end, 0))
    return any(end > scope.start for _, end in spans[max(0, index - 8) : index])


def _macro_definitions(text: _Text, table: UseTable) -> tuple[MacroDefinition, ...]:
    bodies: dict[int, set[str]] = {}
    for row in range(len(table)):
        if table.kind[row] in {UseKind.MACRO_BODY, UseKind.LAUNCH, UseKind.ASM}:
            bodies.setdefault(table.line[row], set()).add(table.symbols[table.symbol[row]])
    if not bodies:
        return ()
    found = []
    for line in text.directives.of("define"):
        macro = defined_macro(text.masked, line)
        state = text.regions.state_at(line.start)
        if macro is None or state is None:
            continue
        first, last = text.index.line(line.start), text.index.line(line.end - 1)
        symbols = set().union(*(bodies.get(number, set()) for number in range(first, last + 1)))
        if symbols:
            found.append(
                MacroDefinition(
                    name=macro[0],
                    line=first,
                    symbols=tuple(sorted(symbols)),
                    function_like=macro[1],
                    state=state,
                )  # fmt: skip
            )
    return tuple(found)


def _conditionals(text: _Text) -> tuple[Conditional, ...]:
    """The stretches that not every build compiles."""
    if text.regions.plain:
        return ()
    regions = text.regions.regions
    ends = [region.start for region in regions[1:]] + [len(text.data)]
    return tuple(
        Conditional(
            line=text.index.line(region.start),
            end_line=text.index.line(max(region.start, end - 1)),
            condition=region.condition,
            state=region.state,
        )
        for region, end in zip(regions, ends, strict=True)
        if region.state is not State.ACTIVE
    )
