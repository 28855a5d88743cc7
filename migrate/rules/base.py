"""What rules may know of a whole tree: the target, all files, what the compiler says of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import normpath
from typing import Any, Protocol, TypeVar

from migrate.knowledge.archs import Arch, known_archs
from migrate.knowledge.components import component_named
from migrate.model.facts import AsmBlock, FileFacts
from migrate.model.kernel import KernelRow
from migrate.model.mark import Mark, MarkKind
from migrate.model.semantic import CallEdge, LaneArithmetic, Program, TileSize, WarpCall
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.target import Target
from migrate.model.verdict import Side, State, Verdict
from migrate.rules.switches import Switches


class _Placed(Protocol):
    @property
    def path(self) -> str: ...


_WARP_BUILTIN = re.compile(r"__(?:shfl|ballot|any|all|match|reduce|syncwarp|activemask)")
_MOST_ALIASES = 3
_P = TypeVar("_P", bound=_Placed)
_T = TypeVar("_T")


def _by_path(rows: Iterable[_P]) -> Mapping[str, tuple[_P, ...]]:
    found: dict[str, list[_P]] = defaultdict(list)
    for row in rows:
        found[row.path].append(row)
    return {path: tuple(group) for path, group in found.items()}


@dataclass(frozen=True)
class CodeBase:
    """What rules may know of the whole tree; made once a run.

    ``verdict_of`` is the tables' verdict on the use in a row of a file.
    """

    target: Target
    files: Sequence[FileFacts]
    verdict_of: Callable[[str, int], Verdict]
    program: Program = field(default_factory=Program)
    kernels: Sequence[KernelRow] = ()
    _made: dict[Callable[[CodeBase], Any], Any] = field(default_factory=dict, compare=False)

    def once(self, make: Callable[[CodeBase], _T]) -> _T:
        """What a function makes of the tree, made once for all files."""
        if make not in self._made:
            self._made[make] = make(self)
        made: _T = self._made[make]
        return made

    @cached_property
    def archs(self) -> tuple[Arch, ...]:
        """The GPUs of the target."""
        return tuple(known_archs()[gfx.partition(":")[0]] for gfx in self.target.archs)

    @cached_property
    def constants(self) -> Mapping[str, tuple[int, ...]]:
        """The values that each named integer of the tree has somewhere, in rising order.

        Those of functions are nobody else's, and what HIP builds define too is no CUDA constant.
        """
        return constants_in(
            mark
            for mark in self._integers
            if not mark.function and mark.symbol not in self.by_vendor
        )

    @cached_property
    def _integers(self) -> tuple[Mark, ...]:
        return tuple(
            mark
            for file in self.files
            for mark in file.marks
            if mark.kind in {MarkKind.CONSTANT, MarkKind.CONSTANT_ALIAS}
        )

    @cached_property
    def uses_hipfort(self) -> bool:
        """Whether some Fortran of the tree takes hipFORT's modules, which may rename calls."""
        return any(
            signal.kind is Kind.HIP
            for file in self.files
            if file.language is Language.FORTRAN
            for signal in file.signals
        )

    @cached_property
    def bindings(self) -> Mapping[str, frozenset[State]]:
        """The components that manifests of other languages name, and in which states."""
        found: dict[str, set[State]] = defaultdict(set)
        for file in self.files:
            if file.language is not Language.OTHER_CODE:
                for signal in file.signals:
                    if signal.kind is Kind.BINDING:
                        found[component_named(Kind.BINDING.value, signal.value)].add(signal.state)
        return {key: frozenset(states) for key, states in found.items() if key}

    @cached_property
    def by_vendor(self) -> frozenset[str]:
        """The named integers of the tree that have a value of their own in HIP builds."""
        return frozenset(mark.symbol for mark in self._integers if _of_hip(mark))

    @cached_property
    def constant_bits(self) -> Mapping[str, int]:
        """The least bits that the type of each named integer of the tree has, where declared."""
        found: dict[str, int] = {}
        for file in self.files:
            for mark in file.marks:
                if mark.kind is MarkKind.CONSTANT and mark.values[2] and not _of_hip(mark):
                    bits = int(mark.values[2])
                    found[mark.symbol] = min(bits, found.get(mark.symbol, bits))
        return found

    @cached_property
    def warp_wrappers(self) -> Mapping[str, frozenset[str]]:
        """The project's macros by name that stand for warp builtins, with these."""
        found: dict[str, frozenset[str]] = {}
        for file in self.files:
            for macro in file.macros:
                builtins = frozenset(name for name in macro.symbols if _WARP_BUILTIN.match(name))
                if builtins and macro.state is not State.HIP:
                    found[macro.name] = builtins | found.get(macro.name, frozenset())
        return found

    @cached_property
    def names_of_warp_size(self) -> frozenset[str]:
        """The names of the tree that stand for ``warpSize``, in HIP's branches too."""
        return frozenset(
            mark.symbol
            for file in self.files
            for mark in file.marks
            if mark.kind is MarkKind.CONSTANT_ALIAS and mark.values[0] == "warpSize"
        )

    @cached_property
    def ported_wrappers(self) -> frozenset[str]:
        """Those of ``warp_wrappers`` that have a twin in HIP builds wherever they are defined."""
        defined = [
            macro
            for file in self.files
            for macro in file.macros
            if macro.name in self.warp_wrappers
        ]
        active = {macro.name for macro in defined if macro.state is State.ACTIVE}
        return frozenset(macro.name for macro in defined if macro.state is State.PORTED) - active

    @cached_property
    def warp_functions(self) -> Mapping[str, frozenset[str]]:
        """The project's own functions and macros that call warp builtins, with these."""
        found: dict[str, frozenset[str]] = dict(self.warp_wrappers)
        for file in self.files:
            for call in file.calls:
                name = call.function.rpartition("::")[2]
                if name and _WARP_BUILTIN.match(call.symbol):
                    found[name] = found.get(name, frozenset()) | {call.symbol}
        return found

    @cached_property
    def project_warp_calls(self) -> Mapping[str, tuple[Mark, ...]]:
        """The calls of the project's own warp functions in the tree, by name."""
        found: dict[str, list[Mark]] = defaultdict(list)
        for file in self.files:
            for mark in file.marks:
                if mark.kind is MarkKind.WARP_CALL and not _of_hip(mark):
                    found[mark.symbol].append(mark)
        return {name: tuple(marks) for name, marks in found.items()}

    @cached_property
    def switches(self) -> Switches:
        """The macros that the tree's conditions ask for."""
        return Switches(mark for file in self.files for mark in file.marks)

    @cached_property
    def kernels_by_path(self) -> Mapping[str, tuple[KernelRow, ...]]:
        """The kernels by the file of their definition."""
        return _by_path(self.kernels)

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The CUDA names that the tree uses anywhere."""
        return frozenset(symbol for file in self.files for symbol in file.uses.symbols)

    @cached_property
    def calls_between(self) -> Mapping[str, tuple[CallEdge, ...]]:
        """The compiler's calls by the path of the caller's place."""
        return _by_path(self.program.calls)

    @cached_property
    def kernel_code(self) -> Mapping[str, str]:
        """The functions that the compiler saw to run on the GPU alone: key to name."""
        return {
            node.key: node.name
            for node in self.program.functions
            if node.kernel or node.side is Side.DEVICE
        }

    @cached_property
    def asm_by_function(self) -> Mapping[str, tuple[AsmBlock, ...]]:
        """The asm statements by the last part of the name of the function around them."""
        found: dict[str, list[AsmBlock]] = defaultdict(list)
        for file in self.files:
            for block in file.asm_blocks:
                found[block.function.rpartition("::")[2].partition("<")[0]].append(block)
        return {name: tuple(blocks) for name, blocks in found.items()}

    @cached_property
    def kernels_by_name(self) -> Mapping[str, tuple[KernelRow, ...]]:
        """The kernels by the last part of their name."""
        found: dict[str, list[KernelRow]] = defaultdict(list)
        for kernel in self.kernels:
            found[kernel.name.rpartition("::")[2]].append(kernel)
        return {name: tuple(rows) for name, rows in found.items()}

    @cached_property
    def macro_names(self) -> frozenset[str]:
        """The macros of the tree that hold CUDA names or give them another meaning."""
        return frozenset(macro.name for file in self.files for macro in file.macros)

    @cached_property
    def own_atomic_types(self) -> frozenset[str]:
        """The types for which the tree defines an atomic function of its own."""
        return frozenset(
            mark.values[0]
            for file in self.files
            for mark in file.marks
            if mark.kind is MarkKind.OWN_ATOMIC and mark.state is State.ACTIVE
        )

    @cached_property
    def waiting_files(self) -> frozenset[str]:
        """The names, without folders, of files in which a kernel waits for a flag of others."""
        return frozenset(
            file.path.rpartition("/")[2]
            for file in self.files
            if any(
                mark.kind is MarkKind.WAITING_LOOP and mark.values[0] == "flag"
                for mark in file.marks
            )
            or any(map(_reads_a_flag, file.asm_blocks))
        )

    @cached_property
    def kernel_names(self) -> frozenset[str]:
        """The last parts of the names of all kernels that are defined in the tree."""
        return frozenset(
            function.name.rpartition("::")[2]
            for file in self.files
            for function in file.functions
            if function.kernel
        )

    @cached_property
    def warp_calls(self) -> Mapping[str, tuple[WarpCall, ...]]:
        """The compiler's warp calls by path."""
        return _by_path(self.program.warp_calls)

    @cached_property
    def tile_sizes(self) -> Mapping[str, tuple[TileSize, ...]]:
        """The compiler's tile sizes by path."""
        return _by_path(self.program.tile_sizes)

    @cached_property
    def lane_arithmetic(self) -> Mapping[str, tuple[LaneArithmetic, ...]]:
        """The compiler's lane arithmetic by path."""
        return _by_path(self.program.lane_arithmetic)

    @cached_property
    def signal_kinds(self) -> frozenset[Kind]:
        """What the files around the code speak of anywhere, third-party copies left out."""
        return frozenset(
            signal.kind
            for file in self.files
            for signal in file.signals
            if signal.state is not State.VENDORED
        )

    @cached_property
    def files_by_name(self) -> Mapping[str, tuple[FileFacts, ...]]:
        """The tree's files by the last part of their path."""
        found: dict[str, list[FileFacts]] = defaultdict(list)
        for file in self.files:
            found[file.path.rpartition("/")[2]].append(file)
        return {name: tuple(files) for name, files in found.items()}

    @cached_property
    def included_names(self) -> frozenset[str]:
        """The last part of the path of each header, or source, that a file includes."""
        return frozenset(
            include.name.rpartition("/")[2] for file in self.files for include in file.includes
        )

    def included(self, name: str, path: str) -> tuple[FileFacts, ...]:
        """The files of the tree that an ``#include`` in a file may mean.

        The one beside it, else all whose path ends so.
        """
        beside = normpath(f"{path.rpartition('/')[0]}/{name}").lstrip("/")
        ending = normpath(f"/{name}").replace("/../", "/")
        found = []
        for file in self.files_by_name.get(name.rpartition("/")[2], ()):
            if file.path == beside:
                return (file,)
            if f"/{file.path}".endswith(ending):
                found.append(file)
        return tuple(found)


def constants_in(marks: Iterable[Mark]) -> Mapping[str, tuple[int, ...]]:
    """The values of named integers, those of names that stand for another name included."""
    found: dict[str, set[int]] = defaultdict(set)
    others: dict[str, str] = {}
    for mark in marks:
        if mark.kind is MarkKind.CONSTANT and not _of_hip(mark):
            found[mark.symbol].add(int(mark.values[0]))
        elif mark.kind is MarkKind.CONSTANT_ALIAS and not _of_hip(mark):
            others[mark.symbol] = mark.values[0]
    for name in others:
        other = name
        for _ in range(_MOST_ALIASES):
            other = others.get(other, "")
            if other in found:
                found[name] |= found[other]
                break
    return {name: tuple(sorted(values)) for name, values in found.items()}


def _of_hip(mark: Mark) -> bool:
    """Whether a constant has another value in HIP builds: it is HIP's, or has a twin there."""
    return mark.state in {State.HIP, State.PORTED}


def _reads_a_flag(block: AsmBlock) -> bool:
    """Whether PTX loads what others write meanwhile: such a load stands in a loop that waits."""
    return any(
        mnemonic.startswith("ld.") and not {"acquire", "volatile"}.isdisjoint(mnemonic.split("."))
        for mnemonic in block.mnemonics
    )
