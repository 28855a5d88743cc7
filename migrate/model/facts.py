"""What one file says, before any verdict: uses in columns, and the few things worth an object."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from migrate.model.mark import Mark
from migrate.model.signals import Signal
from migrate.model.source import Language
from migrate.model.verdict import SeenBy, Side, State


class UseKind(IntEnum):
    """How a name is used at a place."""

    NAME = 0
    CALL = 1
    LAUNCH = 2
    DEVICE_LAUNCH = 3
    ASM = 4
    MEMBER = 5
    MACRO_BODY = 6
    DIRECTIVE = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One occurrence of a CUDA name; lines and columns start at 1, columns count characters.

    ``arguments`` is the number of call arguments, -1 where it is no call or cannot be told.
    ``function`` is the enclosing function's name, "" at file scope.
    """

    path: str
    line: int
    end_line: int
    column: int
    symbol: str
    function: str
    side: Side
    state: State
    kind: UseKind
    arguments: int
    seen_by: SeenBy


@dataclass(frozen=True, slots=True)
class UseTable:
    """The uses of one file, one ``array('I')`` a column, rows in order of place.

    ``symbols`` and ``functions`` hold the interned words that the columns point to; ``function`` is
    an index into ``functions``, whose entry 0 is file scope. ``arguments`` is stored plus one.
    ``known`` is 2 for a name with a row, 1 where only a family's row answers, 0 for a name that
    only has a CUDA name's form; ``line_hash`` is the CRC-32 of the line without its white space,
    for fingerprints.
    """

    symbols: tuple[str, ...] = ()
    symbol: array[int] = field(default_factory=lambda: array("I"))
    line: array[int] = field(default_factory=lambda: array("I"))
    end_line: array[int] = field(default_factory=lambda: array("I"))
    column: array[int] = field(default_factory=lambda: array("I"))
    function: array[int] = field(default_factory=lambda: array("I"))
    state: array[int] = field(default_factory=lambda: array("B"))
    kind: array[int] = field(default_factory=lambda: array("B"))
    arguments: array[int] = field(default_factory=lambda: array("I"))
    seen_by: array[int] = field(default_factory=lambda: array("B"))
    known: array[int] = field(default_factory=lambda: array("B"))
    line_hash: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.symbol)


STATES: tuple[State, ...] = tuple(State)
SEEN_BY: tuple[SeenBy, ...] = tuple(SeenBy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function definition: its name, place, where it runs, whether it is a kernel.

    ``attributes`` are what kernels carry beside: ``__launch_bounds__(256, 2)`` and its kind.
    """

    name: str
    line: int
    end_line: int
    side: Side
    kernel: bool = False
    attributes: tuple[str, ...] = ()
    state: State = State.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSite:
    """A call of a CUDA function with the text of its arguments."""

    symbol: str
    line: int
    column: int
    arguments: tuple[str, ...]
    function: str
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchSite:
    """A ``<<<grid, block, shared, stream>>>`` launch; parts not given are ""."""

    kernel: str
    line: int
    column: int
    grid: str
    block: str
    shared: str
    stream: str
    function: str
    side: Side
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class AsmBlock:
    """An asm statement with its literal text; ``complete``: no macro hides a part.

    ``operands`` has the text behind each of the ``mnemonics``.
    """

    line: int
    end_line: int
    column: int
    text: str
    mnemonics: tuple[str, ...]
    complete: bool
    function: str
    state: State
    operands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeclaration:
    """A ``__shared__`` variable, its type and extent as written.

    ``dynamic`` is the ``extern __shared__`` form, whose size the launch gives.
    """

    name: str
    line: int
    type: str
    extent: str
    dynamic: bool
    function: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Include:
    """An ``#include``; ``quoted`` is the ``"..."`` form."""

    name: str
    line: int
    quoted: bool
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroDefinition:
    """A ``#define`` whose body holds CUDA names, or one that gives a CUDA name another meaning.

    ``target`` is the word that such a name then stands for: ``hipFree`` of
    ``#define cudaFree hipFree``; "" for other macros. ``alias`` is the one CUDA name that a macro
    of the project stands for: ``cudaFree`` of ``#define gpuFree cudaFree``, ``cuda##`` where it
    pastes one together; "" for other macros. ``expansions`` counts the places that use the macro,
    as far as the compiler was asked.
    """

    name: str
    line: int
    symbols: tuple[str, ...]
    function_like: bool
    state: State
    target: str = ""
    expansions: int = 0
    alias: str = ""


class AliasKind(StrEnum):
    """What a name of the project's own is that stands for a CUDA name."""

    TYPE = "type"
    CONSTANT = "constant"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A type, constant or function that stands for one CUDA name and does nothing else.

    ``line`` is where its own name stands; for types and constants where the declaration begins.
    """

    name: str
    symbol: str
    kind: AliasKind
    line: int
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional:
    """A preprocessor branch that is not built everywhere, with the condition as written."""

    line: int
    end_line: int
    condition: str
    state: State | None
    """The state that uses inside get; None: disabled code (``#if 0``)."""


@dataclass(frozen=True, slots=True)
class BuildCondition:
    """Lines that are compiled only where a condition of the preprocessor holds."""

    line: int
    end_line: int
    condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformMacros:
    """What a file tells of the macros by which a project tells CUDA builds from HIP builds.

    ``hip_only`` and ``cuda_only`` are macros that it defines where only such a build compiles,
    ``hip_platform`` those of the first that every HIP build defines, as nothing or 1,
    ``always_hip`` those that it defines where every HIP build and some CUDA builds compile,
    ``elsewhere`` those that it defines in other places. ``by_value`` are macros that it defines
    as 0 in the other build, so that ``#if`` tells the builds apart and ``#ifdef`` does not.
    ``asked`` are the macros in its conditions that the tree may explain, ``asked_hip`` those
    that HIP builds alone define by their name, ``asked_defined`` all in ``defined()``;
    ``shims`` the CUDA names, and namespaces as ``cub::``, that its HIP-only code defines.
    ``cuda_options`` are the project's switches for CUDA in its conditions (``HAVE_CUDA``).
    """

    hip_only: frozenset[str] = frozenset()
    hip_platform: frozenset[str] = frozenset()
    cuda_only: frozenset[str] = frozenset()
    always_hip: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    by_value: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    asked_hip: frozenset[str] = frozenset()
    asked_defined: frozenset[str] = frozenset()
    shims: frozenset[str] = frozenset()
    cuda_options: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """All that one source file says.

    ``lines`` counts physical lines, ``code_lines`` those with code on them. ``defined`` holds the
    CUDA-looking names that the file itself defines, ``own_macros`` the macros of CUDA's to which it
    gives a meaning of the project's own, ``error`` why it could not be read ("" if it
    could), ``error_nodes`` how many ERROR nodes its syntax tree has (-1: no tree was needed),
    ``utf8`` whether its bytes are UTF-8 text.
    ``hip`` says that all of it is HIP code, ``hip_built`` that the project's HIP build compiles it.
    ``signals`` are what a file around the code says; a source of the C family has none. ``test``
    is only known of such a file.
    """

    path: str
    language: Language
    lines: int = 0
    code_lines: int = 0
    error: str = ""
    error_nodes: int = -1
    utf8: bool = True
    hip: bool = False
    hip_built: bool = False
    uses: UseTable = field(default_factory=UseTable)
    functions: tuple[Function, ...] = ()
    calls: tuple[CallSite, ...] = ()
    launches: tuple[LaunchSite, ...] = ()
    asm_blocks: tuple[AsmBlock, ...] = ()
    shared: tuple[SharedDeclaration, ...] = ()
    includes: tuple[Include, ...] = ()
    macros: tuple[MacroDefinition, ...] = ()
    aliases: tuple[Alias, ...] = ()
    conditionals: tuple[Conditional, ...] = ()
    build_conditions: tuple[BuildCondition, ...] = ()
    platform: PlatformMacros = field(default_factory=PlatformMacros)
    defined: frozenset[str] = frozenset()
    own_macros: frozenset[str] = frozenset()
    marks: tuple[Mark, ...] = ()
    signals: tuple[Signal, ...] = ()
    test: bool = False


def condition_at(facts: FileFacts, line: int) -> str:
    """The condition under which a line is compiled, "" for none; its places do not overlap."""
    stretches = facts.build_conditions
    at = bisect_right(stretches, line, key=lambda stretch: stretch.line) - 1
    return stretches[at].condition if at >= 0 and line <= stretches[at].end_line else ""


def iterate_uses(facts: FileFacts) -> Iterator[Use]:
    """Yield the rows of a file's table as objects, in order of place."""
    table = facts.uses
    names = ("", *(function.name for function in facts.functions))
    sides = (Side.UNKNOWN, *(function.side for function in facts.functions))
    for row in range(len(table)):
        function = table.function[row]
        yield Use(
            path=facts.path,
            line=table.line[row],
            end_line=table.end_line[row],
            column=table.column[row],
            symbol=table.symbols[table.symbol[row]],
            function=names[function],
            side=sides[function],
            state=STATES[table.state[row]],
            kind=UseKind(table.kind[row]),
            arguments=table.arguments[row] - 1,
            seen_by=SEEN_BY[table.seen_by[row]],
        )
