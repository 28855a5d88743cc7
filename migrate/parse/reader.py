"""One C-family file read: text first, the syntax tree where there is something to tell."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from migrate.model.facts import Alias, Conditional, FileFacts, Include, MacroDefinition
from migrate.model.source import Language
from migrate.model.verdict import State
from migrate.parse.aliases import declared_aliases, function_aliases, macro_alias
from migrate.parse.asm import ASM_WORDS, find_asm
from migrate.parse.build_conditions import read_build_conditions
from migrate.parse.collector import Collector
from migrate.parse.conditionals import Regions, read_regions
from migrate.parse.conditions import ProjectMacros
from migrate.parse.constructs import find_launches, find_shared
from migrate.parse.directives import (
    DefinedMacro,
    Directives,
    IncludeText,
    read_directives,
    read_includes,
)
from migrate.parse.filetext import FileText
from migrate.parse.functions import read_functions
from migrate.parse.lines import LineIndex
from migrate.parse.marks.finders import read_marks
from migrate.parse.mask import count_code_lines, decode_source, mask_comments_and_literals
from migrate.parse.members import find_members
from migrate.parse.namespaces import QualifiedFinder
from migrate.parse.own_defines import own_defines
from migrate.parse.own_macros import find_own_launches, with_open_heads
from migrate.parse.plain import text_for_tree
from migrate.parse.platform import read_platform
from migrate.parse.references import REFERENCE_WORDS, find_references
from migrate.parse.scopes import ScopeIndex
from migrate.parse.tree import SyntaxTree
from migrate.parse.uses import Candidates, CodeText, FoundUse, PlainFinder, find_candidates
from migrate.parse.vocabulary import KERNEL_WORDS, Vocabulary
from migrate.parse.words import words_of

_HIP_HEADER = re.compile(r"hip/\w|hip(?:blas|rand|fft|sparse|solver|cub|dnn)|rocblas|miopen|rccl")
_CUDA_HEADER = re.compile(
    r"cuda|cublas|cudnn|cufft|curand|cusparse|cusolver|nccl|nvrtc|cub/|thrust/"
)
_OTHER_HEADER = re.compile(r"sycl/|CL/|dpct/|musa|mublas|acl/acl|aclnn|mcr/|Metal/")
_FOR_RCCL = re.compile(r"(?:^|(?<=[./_-]))rccl(?=[./_-]|$)", re.IGNORECASE)
"""A path that says RCCL, whose API has the names of NCCL's."""
_ONE_WORD = re.compile(rb"[\s\\]*([A-Za-z_]\w*)[\s\\]*")


def read_source(
    data: bytes, path: str, language: Language, vocabulary: Vocabulary, macros: ProjectMacros
) -> FileFacts:
    """Read one C-family file's bytes into facts; never raises for what the file holds."""
    data = decode_source(data)
    masked = mask_comments_and_literals(data)
    directives = read_directives(masked)
    includes = read_includes(data, directives)
    own_platform = _regions_of_rccl if _FOR_RCCL.search(path) else _regions
    regions, hip = own_platform(masked, directives, includes, language, macros)
    index = LineIndex(data)
    words = words_of(masked)
    own = macros.words.within(words, path)
    masked = with_open_heads(masked, directives, own)
    candidates = find_candidates(words, vocabulary)
    facts = FileFacts(
        path=path,
        language=language,
        lines=data.count(b"\n") + (not data.endswith(b"\n") and bool(data)),
        code_lines=count_code_lines(masked),
        utf8=index.utf8,
        hip=hip,
        includes=_placed_includes(includes, index, regions),
    )
    platform = partial(read_platform, masked, directives, regions, vocabulary, project=macros)
    kernel_code = bool(words & KERNEL_WORDS or own.kernel or own.launches) or b"<<<" in masked
    text = FileText(
        data=data,
        code=CodeText(masked, directives),
        index=index,
        regions=regions,
        cuda_code=kernel_code
        or bool(own.device)
        or language is Language.CUDA
        or any(_CUDA_HEADER.search(include.name) for include in includes),
        own=own,
    )
    if not (candidates or kernel_code or words & ASM_WORDS):
        # What only the compiler sees here, as a member or a pasted name, has its branch's state.
        return replace(
            facts,
            platform=platform(declared=()),
            conditionals=tuple(
                branch
                for branch in _conditionals(regions, index, len(data))
                if branch.state is not State.HIP
            ),
            marks=read_marks(text, ScopeIndex([]), words, gpu_code=False),
        )
    facts, declared = _read_uses(facts, text, vocabulary, candidates, words)
    return replace(
        facts,
        platform=platform(declared=declared),
        own_macros=own_defines(text.code, regions, vocabulary, macros),
    )


def _regions(
    masked: bytes,
    directives: Directives,
    includes: list[IncludeText],
    language: Language,
    macros: ProjectMacros,
) -> tuple[Regions, bool]:
    """The states of a file's stretches, and whether all of it is HIP code."""
    hip = language is Language.HIP
    regions = read_regions(masked, directives, macros, State.HIP if hip else State.ACTIVE)
    platform = State.HIP if hip else _platform(includes, regions)
    if not hip and platform is not State.ACTIVE:
        regions = read_regions(masked, directives, macros, platform)
    return regions, platform is State.HIP


def _regions_of_rccl(
    masked: bytes,
    directives: Directives,
    includes: list[IncludeText],
    language: Language,
    macros: ProjectMacros,
) -> tuple[Regions, bool]:
    """The same for a file that is for RCCL by its path, unless it includes CUDA's headers."""
    cuda = any(_CUDA_HEADER.match(include.name) for include in includes)
    return _regions(masked, directives, includes, language if cuda else Language.HIP, macros)


def _platform(includes: list[IncludeText], regions: Regions) -> State | None:
    """The state of a file that includes another platform's headers in every build, not CUDA's."""
    active = [
        include.name for include in includes if regions.state_at(include.start) is State.ACTIVE
    ]
    if any(_CUDA_HEADER.match(name) for name in active):
        return State.ACTIVE
    if any(_HIP_HEADER.match(name) for name in active):
        return State.HIP
    return None if any(_OTHER_HEADER.match(name) for name in active) else State.ACTIVE


def _placed_includes(
    includes: list[IncludeText], index: LineIndex, regions: Regions
) -> tuple[Include, ...]:
    placed = []
    for include in includes:
        state = regions.state_at(include.start)
        if state is None and _OTHER_HEADER.match(include.name):
            # What makes the file another platform's is a fact of the project.
            state = State.ACTIVE
        if state is not None:
            line = index.line(include.start)
            placed.append(Include(name=include.name, line=line, quoted=include.quoted, state=state))
    return tuple(placed)


def _read_uses(
    facts: FileFacts,
    text: FileText,
    vocabulary: Vocabulary,
    candidates: Candidates,
    words: set[bytes],
) -> tuple[FileFacts, set[str]]:
    """The facts with all uses, and the CUDA names that HIP-only code declares."""
    masked, directives = text.code.masked, text.code.directives
    plain = PlainFinder(text.code)
    found: list[FoundUse] = [
        *plain.uses(candidates),
        *QualifiedFinder(text.code, vocabulary).uses(words),
        *find_members(text.code, vocabulary, words),
    ]
    asm_blocks = find_asm(text.data, masked, directives)
    blocks = list(asm_blocks) if words & ASM_WORDS else []
    wants_tree = (
        found
        or words & KERNEL_WORDS
        or text.own.kernel
        or text.own.launches
        or b"<<<" in masked
        or blocks
    )
    tree = None
    if wants_tree:
        plain_text = text_for_tree(masked, words, text.code.brackets, directives, text.own)
        tree = SyntaxTree(plain_text, masked, text.own)
    scopes = read_functions(text, tree)
    known = candidates.plain | candidates.families
    collector = Collector(text, tree, scopes)
    for use in found:
        if use.symbol not in plain.own_types:
            collector.add_use(use)
    for launch in find_launches(masked):
        collector.add_launch(launch)
    for launch in find_own_launches(text.code, text.own):
        collector.add_launch(launch, through_macro=True)
    if words & REFERENCE_WORDS:
        for reference in find_references(masked):
            collector.add_reference(reference)
    for block in blocks:
        collector.add_asm(block, cuda=facts.language is Language.CUDA)
    functions, table = collector.finish()
    shared = find_shared(masked, directives) if b"__shared__" in words else ()
    facts = replace(
        facts,
        error_nodes=tree.error_nodes if tree else -1,
        uses=table,
        functions=functions,
        calls=tuple(sorted(collector.calls, key=lambda call: (call.line, call.column))),
        launches=tuple(sorted(collector.launches, key=lambda one: (one.line, one.column))),
        asm_blocks=tuple(collector.asm_blocks),
        shared=tuple(
            collector.shared_declaration(variable)
            for variable in shared
            if text.regions.cuda_at(variable.start)
        ),
        macros=_macro_definitions(text, collector.in_macros, vocabulary, known),
        aliases=_aliases(text, found, scopes, known),
        conditionals=_conditionals(text.regions, text.index, len(text.data)),
        build_conditions=read_build_conditions(masked, directives, text.index),
        defined=frozenset(plain.defined | collector.defined),
        marks=read_marks(text, scopes, words, gpu_code=True),
    )
    return facts, collector.shims


def _macro_definitions(
    text: FileText,
    in_macros: dict[int, set[str]],
    vocabulary: Vocabulary,
    known: frozenset[bytes],
) -> tuple[MacroDefinition, ...]:
    """Macros with CUDA names in their body, and those that give a CUDA name another meaning."""
    masked = text.code.masked
    found = []
    for line, macro in text.code.macros:
        state = text.regions.state_at(line.start)
        if state is None:
            continue
        symbols = in_macros.get(line.start, set())
        target = _shim_target(masked, macro, line.end, vocabulary)
        alias = macro_alias(masked, macro, line.end, known)
        if symbols or target or alias:
            found.append(
                MacroDefinition(
                    name=macro.name,
                    line=text.index.line(line.start),
                    symbols=tuple(sorted(symbols)),
                    function_like=macro.function_like,
                    state=state,
                    target=target,
                    alias=alias,
                )
            )
    return tuple(found)


def _aliases(
    text: FileText, uses: list[FoundUse], scopes: ScopeIndex, known: frozenset[bytes]
) -> tuple[Alias, ...]:
    """What at file scope stands for a CUDA name, in order of place."""
    masked = text.code.masked
    declared = [one for one in declared_aliases(masked, known) if scopes.at(one.start) < 0]
    found = []
    for one in sorted((*declared, *function_aliases(text.code, uses))):
        state = text.regions.state_at(one.start)
        if state is not None:
            line = text.index.line(one.start)
            found.append(
                Alias(name=one.name, symbol=one.symbol, kind=one.kind, line=line, state=state)
            )
    return tuple(found)


def _shim_target(masked: bytes, macro: DefinedMacro, end: int, vocabulary: Vocabulary) -> str:
    """The one word that a macro with a CUDA name stands for, as in ``#define cudaFree hipFree``."""
    if macro.function_like or not vocabulary.knows(macro.name):
        return ""
    body = _ONE_WORD.fullmatch(masked, macro.body, end)
    return body[1].decode() if body else ""


def _conditionals(regions: Regions, index: LineIndex, size: int) -> tuple[Conditional, ...]:
    """The stretches that not every build compiles."""
    ends = [*regions.starts[1:], size]
    return tuple(
        Conditional(
            line=index.line(region.start),
            end_line=index.line(max(region.start, end - 1)),
            condition=region.condition,
            state=region.state,
        )
        for region, end in zip(regions.regions, ends, strict=True)
        if region.state is not State.ACTIVE
    )
