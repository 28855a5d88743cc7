"""What an asm statement asks of the port: its instructions, and the one kind of work it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from migrate.knowledge.ptx import PtxGroup, PtxRow, PtxWork, most_work, ptx_row, special_registers
from migrate.model.facts import AsmBlock
from migrate.model.rule import Hit
from migrate.model.target import Target
from migrate.model.verdict import Confidence, State
from migrate.rules.code import Code

_MOST_NAMED = 8
_Fits = Callable[[PtxRow], bool]


class BlockKind(Enum):
    """The one kind of work that an asm statement is; of several the worst."""

    UNKNOWN = auto()
    DROPPED = auto()
    SMALL = auto()
    REGISTER = auto()
    BUILTIN = auto()
    REWRITE = auto()
    LANES = auto()
    ORDER = auto()
    CARRY = auto()
    COPY = auto()
    NAMED_BARRIER = auto()
    CLUSTER = auto()
    BULK_COPY = auto()
    MATRIX = auto()


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction as written, and what the table says of it; no row: it is unknown."""

    mnemonic: str
    row: PtxRow | None


@dataclass(frozen=True, slots=True)
class Block:
    """An asm statement with what the tables say of its instructions, and the work that it is."""

    asm: AsmBlock
    instructions: tuple[Instruction, ...]
    registers: tuple[PtxRow, ...]
    kind: BlockKind

    @property
    def unknown(self) -> tuple[str, ...]:
        """The instructions that the table does not know."""
        return tuple(one.mnemonic for one in self.instructions if one.row is None)

    def said(self, target: Target) -> Iterator[tuple[str, str]]:
        """Its instructions and special registers, each with what HIP offers for it."""
        for one in self.instructions:
            if one.row and not (self.registers and one.row.head == "mov"):
                yield one.mnemonic, _offer(one.row, target, one.mnemonic)
        for row in self.registers:
            yield row.pattern, _offer(row, target)


def offers(blocks: Iterable[Block], target: Target) -> str:
    """A sentence that names the instructions of statements with what HIP offers for each."""
    names: dict[str, list[str]] = {}
    for name, text in dict.fromkeys(pair for block in blocks for pair in block.said(target)):
        names.setdefault(text, []).append(name)
    parts = [f"{', '.join(some)}: {text}" for text, some in list(names.items())[:_MOST_NAMED]]
    left = sum(map(len, list(names.values())[_MOST_NAMED:]))
    if left:
        parts.append(f"and {left} more")
    return f"{'; '.join(parts)}." if parts else ""


def _redesigned(*groups: PtxGroup) -> _Fits:
    return lambda row: row.group in groups and row.work is PtxWork.REDESIGN


def _is_copy(row: PtxRow) -> bool:
    return row.group is PtxGroup.ASYNC and row.head == "cp"


def _orders(row: PtxRow) -> bool:
    return row.group is PtxGroup.ORDER and row.work in {PtxWork.BUILTIN, PtxWork.REWRITE}


_KINDS = (
    (BlockKind.MATRIX, lambda row: row.group is PtxGroup.MATRIX),
    (BlockKind.BULK_COPY, _redesigned(PtxGroup.ASYNC)),
    (BlockKind.CLUSTER, lambda row: row.group is PtxGroup.CLUSTER),
    (BlockKind.NAMED_BARRIER, _redesigned(PtxGroup.SYNC)),
    (BlockKind.COPY, _is_copy),
    (BlockKind.CARRY, lambda row: row.group is PtxGroup.CARRY),
    (BlockKind.ORDER, _orders),
    (BlockKind.LANES, lambda row: row.group is PtxGroup.LANES),
    (BlockKind.REWRITE, lambda row: row.work is PtxWork.REWRITE),
)
"""The kinds that one instruction decides, the worst first."""


def _kind(
    asm: AsmBlock, instructions: Sequence[Instruction], registers: Sequence[PtxRow]
) -> BlockKind:
    """The one kind of work that a statement is."""
    known = [one.row for one in instructions if one.row]
    rows = (*known, *registers)
    worst = next((kind for kind, fits in _KINDS if any(map(fits, rows))), None)
    if worst is not None:
        return worst
    if len(known) < len(instructions) or not (asm.complete or rows):
        return BlockKind.UNKNOWN
    if registers:
        return BlockKind.REGISTER
    if most_work(rows) is PtxWork.BUILTIN:
        return BlockKind.BUILTIN
    dropped = bool(rows) and all(row.work is PtxWork.DROP for row in rows)
    return BlockKind.DROPPED if dropped else BlockKind.SMALL


def _offer(row: PtxRow, target: Target, mnemonic: str = "") -> str:
    offer = row.offer(target.archs, mnemonic)
    if not offer:
        return row.note.rstrip(".") or "nothing"
    if not row.there(target.rocm):
        return f"{offer} (from ROCm {row.since})"
    return offer


def blocks_of(code: Code, *kinds: BlockKind) -> Iterator[Block]:
    """The asm statements of a file that are of one of the kinds.

    In a function with a carry chain, what moves and selects words between its links is part of it.
    """
    if code.facts.asm_blocks:
        by_kind = code.once(_by_kind)
        for kind in kinds:
            yield from by_kind.get(kind, ())


def _by_kind(code: Code) -> dict[BlockKind, list[Block]]:
    blocks = [read_block(asm) for asm in code.facts.asm_blocks]
    kinds = [block.kind for block in blocks]
    chains = {
        block.asm.function
        for block, kind in zip(blocks, kinds, strict=True)
        if kind is BlockKind.CARRY
    } - {""}
    found: dict[BlockKind, list[Block]] = {}
    for block, kind in zip(blocks, kinds, strict=True):
        linked = kind is BlockKind.SMALL and block.asm.function in chains
        found.setdefault(BlockKind.CARRY if linked else kind, []).append(block)
    return found


def read_block(asm: AsmBlock) -> Block:
    """An asm statement with what the tables say of it."""
    operands = asm.operands or ("",) * len(asm.mnemonics)
    instructions = tuple(
        Instruction(mnemonic, ptx_row(mnemonic, text))
        for mnemonic, text in zip(asm.mnemonics, operands, strict=True)
    )
    registers = special_registers(asm.text)
    return Block(asm, instructions, registers, _kind(asm, instructions, registers))


def hits_of(code: Code, *kinds: BlockKind) -> Iterator[Hit]:
    """A hit at each asm statement of a file that is of one of the kinds.

    The first in a function names the instructions of all; sure is what is known wholly.
    """
    functions: dict[tuple[str, State], list[Block]] = {}
    for block in blocks_of(code, *kinds):
        functions.setdefault((block.asm.function, block.asm.state), []).append(block)
    for blocks in functions.values():
        detail = offers(blocks, code.target)
        for block in blocks:
            sure = block.asm.complete and not block.unknown
            confidence = Confidence.CERTAIN if sure else Confidence.LIKELY
            yield code.hit(block.asm, detail=detail, confidence=confidence)
