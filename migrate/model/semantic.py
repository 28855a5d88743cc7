"""What libclang says of translation units: names resolved, kernels, calls, lanes and masks."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from migrate.model.verdict import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How the compiler's answers agree with what text and trees say, in places.

    ``own`` are names that the tree took for CUDA's, ``found`` uses that it has not seen,
    ``other_name`` those of another name or kind, ``arguments`` calls with another number of
    arguments; ``unseen`` are places in files asked for of which the compiler says nothing.
    """

    agreed: int = 0
    own: int = 0
    found: int = 0
    other_name: int = 0
    arguments: int = 0
    unseen: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            agreed=self.agreed + other.agreed,
            own=self.own + other.own,
            found=self.found + other.found,
            other_name=self.other_name + other.other_name,
            arguments=self.arguments + other.arguments,
            unseen=self.unseen + other.unseen,
        )

    @property
    def disagreed(self) -> int:
        """The places at which the compiler put the tree right."""
        return self.own + self.found + self.other_name + self.arguments


class SemanticMode(StrEnum):
    """Whether the compiler is asked: where it can be, never, or always."""

    AUTO = "auto"
    OFF = "off"
    REQUIRE = "require"


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticRun:
    """How far the compiler was asked in a run.

    ``idle`` says why no unit was parsed although the mode asks for it, "" where units were.
    ``units`` were chosen, ``parsed`` of them gave answers, ``with_errors`` of those have errors or
    lack headers; ``failed`` are the others, as path and reason. ``known`` counts the units whose
    arguments come from compile commands, ``beyond_budget`` those that were too many, ``uncovered``
    the files with CUDA code of which no unit speaks. ``missing_headers`` counts units by header.
    ``limited``: a limit of time or memory was reached, so another machine may find more.
    ``refused`` are flags of compile commands that no parse may use; ``left_out`` counts entries of
    the compile commands that were not taken, by reason.
    """

    mode: SemanticMode = SemanticMode.OFF
    idle: str = ""
    libclang: str = ""
    toolkit: str = ""
    units: int = 0
    parsed: int = 0
    with_errors: int = 0
    known: int = 0
    beyond_budget: int = 0
    uncovered: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    missing_headers: tuple[tuple[str, int], ...] = ()
    limited: bool = False
    refused: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    agreement: Agreement = field(default_factory=Agreement)


class Outcome(StrEnum):
    """How a unit's parse went."""

    PARSED = "parsed"
    PARTIAL = "partial"
    """Parsed with errors or with headers that are not there: what was understood counts."""
    FAILED = "failed"
    """No result: a crash, a limit reached, no translation unit."""


class Answer(IntEnum):
    """What a name is at a place."""

    OWN = 0
    """The project's own or another library's: no use of CUDA."""
    API = 1


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """What the compiler says of the places of one file, one array a column, in order of place.

    ``symbols`` and ``functions`` are interned; ``function`` points into ``functions``, plus one, 0
    is file scope. ``column`` counts characters. ``arguments`` is the number of arguments as
    written plus one, 0 where it is no call. ``kind`` is a :class:`migrate.model.facts.UseKind`.
    ``pasted`` is 1 where the name does not stand in the text, being put together by a macro.
    ``line_hash`` is as in :class:`migrate.model.facts.UseTable`. ``alias`` points into ``aliases``:
    the first word of a qualified name where the source writes another than CUDA's namespace, as
    ``groups`` of ``groups::this_grid()``, else "".
    """

    symbols: tuple[str, ...] = ()
    functions: tuple[FunctionPlace, ...] = ()
    symbol: array[int] = field(default_factory=lambda: array("I"))
    line: array[int] = field(default_factory=lambda: array("I"))
    column: array[int] = field(default_factory=lambda: array("I"))
    answer: array[int] = field(default_factory=lambda: array("B"))
    kind: array[int] = field(default_factory=lambda: array("B"))
    arguments: array[int] = field(default_factory=lambda: array("I"))
    function: array[int] = field(default_factory=lambda: array("I"))
    pasted: array[int] = field(default_factory=lambda: array("B"))
    line_hash: array[int] = field(default_factory=lambda: array("I"))
    aliases: tuple[str, ...] = ("",)
    alias: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.symbol)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionPlace:
    """A function definition around a place: its qualified name, lines and where it runs."""

    name: str
    line: int
    end_line: int
    side: Side
    kernel: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroUse:
    """How often a macro of the project with CUDA names in its body is expanded in a file."""

    name: str
    defined_in: str
    """The tree's file with the definition, "" where that lies outside the tree."""
    line: int
    """The line of the definition."""
    expansions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAnswers:
    """What a unit says of one of the tree's files."""

    path: str
    table: AnswerTable
    macros: tuple[MacroUse, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionNode:
    """A function of the tree; ``key`` is clang's USR, equal in every unit that sees it.

    Instantiations of a template share the template's node. ``path`` and ``line`` are those of the
    definition where the unit has it (``defined``), else of a declaration.
    """

    key: str
    name: str
    path: str
    line: int
    side: Side
    kernel: bool
    defined: bool


class EdgeKind(StrEnum):
    """How one function leads to another."""

    CALL = "call"
    LAUNCH = "launch"
    ADDRESS = "address"
    """The address of a device function or kernel is taken, as for a function pointer."""
    VIRTUAL = "virtual"
    POINTER = "pointer"
    """A call through a function pointer; the callee's key is ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEdge:
    """A place where one function calls, launches or points to another.

    ``caller`` is "" at file scope. ``arguments`` are the template arguments of what is launched as
    clang spells them, "" for none.
    """

    caller: str
    callee: str
    kind: EdgeKind
    path: str
    line: int
    column: int
    arguments: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelInstance:
    """A kernel, or one instantiation of a kernel template.

    ``static_shared`` is the size of its ``__shared__`` variables in bytes, those of the device
    functions that it calls included where their bodies are seen; -1 where a size depends on
    template arguments that are not known. ``launch_bounds`` are the values in the order written
    (threads, blocks, clusters), None for one that cannot be evaluated.
    """

    key: str
    name: str
    arguments: str
    path: str
    line: int
    column: int
    static_shared: int
    dynamic_shared: bool
    launch_bounds: tuple[int | None, ...] = ()
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WarpCall:
    """A call of a warp function with what its operands are worth.

    ``mask`` is the value of the lane mask, ``width`` that of the width argument; None where it is
    left to its default, is not constant or comes from ``warpSize``. ``mask_bits`` is the size of
    the type that the mask is written in, before it is converted, whether or not it is constant; 0
    where none is written or it is no integer. ``result_bits`` is the size of the integer type that
    receives a ballot, a match or an active mask, the smallest cast on the way included; 0 where
    nothing does, the receiver takes any size (``auto``), or the result is no lane mask. A call in a
    template is there once for each set of values that its instantiations give it.
    """

    symbol: str
    path: str
    line: int
    column: int
    function: str
    mask: int | None = None
    mask_bits: int = 0
    width: int | None = None
    result_bits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSize:
    """The size of a ``tiled_partition``, or of a variable's type ``thread_block_tile``.

    A variable that is initialised by a partition of its size is not there beside it.
    """

    path: str
    line: int
    column: int
    function: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneArithmetic:
    """``x & 31``, ``x >> 5``, ``x / 32``, ``x % 32`` where x comes from a thread's index.

    ``operator`` is as written, ``constant`` the value of the right side (31, 5, 32, 32), however
    written, from 31, 63, 32, 64, 5 and 6. ``origin`` is where the value comes from:
    ``threadIdx.x``, ``laneid``, ``thread_rank``; with ``blockDim.x`` it is a number of warps.
    ``of_grid`` says whether the number of a block is in it (``blockIdx.x * blockDim.x +
    threadIdx.x``): such a value is often the index of an element, and 32 the size of something.
    """

    path: str
    line: int
    column: int
    function: str
    operator: str
    constant: int
    origin: str
    of_grid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFacts:
    """What one translation unit says.

    ``errors`` counts error diagnostics other than headers that are not there
    (``missing_headers``, as written). ``reason`` says why a unit failed, as a person would.
    ``includes`` are the tree's files that it read, its own included. ``limited`` says that a limit
    of time or memory was reached: another machine may find more, so the run is incomplete.
    """

    path: str
    outcome: Outcome
    errors: int = 0
    missing_headers: tuple[str, ...] = ()
    reason: str = ""
    limited: bool = False
    includes: tuple[str, ...] = ()
    answers: tuple[FileAnswers, ...] = ()
    functions: tuple[FunctionNode, ...] = ()
    calls: tuple[CallEdge, ...] = ()
    kernels: tuple[KernelInstance, ...] = ()
    warp_calls: tuple[WarpCall, ...] = ()
    tile_sizes: tuple[TileSize, ...] = ()
    lane_arithmetic: tuple[LaneArithmetic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What all units together say, one entry a place whoever saw it, in order of place.

    Of entries at one place that differ in what they know, the one that knows more is there;
    several different values, as template instantiations have them, are all there. A function that
    some unit defines has no entry for its declarations, a kernel template that is instantiated
    anywhere none without arguments.
    """

    functions: tuple[FunctionNode, ...] = ()
    calls: tuple[CallEdge, ...] = ()
    kernels: tuple[KernelInstance, ...] = ()
    warp_calls: tuple[WarpCall, ...] = ()
    tile_sizes: tuple[TileSize, ...] = ()
    lane_arithmetic: tuple[LaneArithmetic, ...] = ()
