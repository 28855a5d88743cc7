"""CUDA constructs that are no names: launches, asm statements, shared memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.parse.brackets import split_arguments

_LAUNCH = re.compile(rb"(?<!<)<<<(?!<)")
_LAUNCH_TOKEN = re.compile(rb"[()\[\]{};]|>>>")
_KERNEL = re.compile(rb"((?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*(?:template\s+)?[A-Za-z_]\w*)*)\s*$")
_ASM = re.compile(
    rb"(?<![\w.>])(?:asm|__asm__|__asm)\s*(?:(?:volatile|__volatile__|__volatile|inline|goto)\s*)*\("
)
_ASM_TOKEN = re.compile(rb"[()\[\]{},]|::?")
_STRING = re.compile(rb'"((?:[^"\\]|\\[\s\S])*)"')
_WORD = re.compile(rb"[A-Za-z_]\w*")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\n"}
_ESCAPE = re.compile(rb"\\(?:([ntr])|\r?\n|([\s\S]))")
_PTX_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PTX_STATEMENT = re.compile(
    r"(?:[%$\w]+:\s*)*(?:@!?%?\w+\s+)?([a-z_][a-z0-9_]*(?:\.[a-z0-9_:]+)*)", re.IGNORECASE
)
_PTX_WORDS = frozenset(
    {"trap", "brkpt", "exit", "ret", "bra", "nanosleep", "membar", "setmaxnreg", "griddepcontrol"}
)
_SHARED = re.compile(
    rb"\b(extern\s+)?(?:static\s+)?__shared__\s+((?:__align__|alignas)\s*\([^()]*\)\s*)?([^;={}]*?)"
    rb"([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)\s*[;=,{]"
)


@dataclass(frozen=True, slots=True)
class LaunchText:
    """A launch by offsets: its configuration and the arguments' parts as written."""

    start: int
    end: int
    kernel: str
    parts: tuple[str, ...]


def find_launches(masked: bytes) -> Iterator[LaunchText]:
    """Find ``kernel<<<...>>>``; conflict markers and shifts are not launches."""
    if b"<<<" not in masked:
        return
    for match in _LAUNCH.finditer(masked):
        close = _launch_end(masked, match.end())
        if close < 0:
            continue
        inner = b"(" + masked[match.end() : close] + b")"
        split = split_arguments(inner, 0)
        spans = split[0] if split else []
        parts = tuple(_tidy(inner[start:end]) for start, end in spans)
        kernel = _kernel_before(masked, match.start())
        if parts and kernel:
            yield LaunchText(match.start(), close + 3, kernel, parts)


def _launch_end(masked: bytes, start: int) -> int:
    depth = 0
    for match in _LAUNCH_TOKEN.finditer(masked, start, start + 4000):
        token = match[0]
        if token == b">>>":
            if depth == 0:
                return match.start()
        elif token in b"([{":
            depth += 1
        elif token == b";" or depth == 0:
            return -1
        else:
            depth -= 1
    return -1


def _kernel_before(masked: bytes, end: int) -> str:
    text = masked[max(0, end - 600) : end].rstrip()
    text = text.removesuffix(b"\\").rstrip()
    if text.endswith(b">"):
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += (text[at : at + 1] == b">") - (text[at : at + 1] == b"<")
            if depth == 0:
                text = text[:at].rstrip()
                break
    if text.endswith(b")"):
        return "(expression)"
    match = _KERNEL.search(text)
    return "".join(match[1].decode("latin-1").split()) if match else ""


def _tidy(text: bytes) -> str:
    return " ".join(text.replace(b"\\\n", b" ").decode("latin-1").split())


@dataclass(frozen=True, slots=True)
class AsmText:
    """An asm statement by offsets, with the instructions that its literals spell out.

    ``complete`` is false where part of the text comes from macros.
    """

    start: int
    end: int
    text: str
    mnemonics: tuple[str, ...]
    complete: bool


def find_asm(data: bytes, masked: bytes) -> Iterator[AsmText]:
    """Find asm statements whose text is not empty; an empty one is only a compiler barrier."""
    if b"asm" not in masked:
        return
    for match in _ASM.finditer(masked):
        opening = match.end() - 1
        split = split_arguments(masked, opening)
        if split is None:
            continue
        end = split[1]
        template = _template_end(masked, opening + 1, end - 1)
        text = "".join(_literals(data, opening + 1, template))
        outside = _STRING.sub(b" ", masked[opening + 1 : template])
        complete = _WORD.search(outside.replace(b"R", b"")) is None
        if text.strip() or not complete:
            yield AsmText(match.start(), end, text, read_mnemonics(text), complete)


def _template_end(masked: bytes, start: int, end: int) -> int:
    """Where the text of an asm statement ends: at its first own ``:`` or ``,``."""
    depth = 0
    for match in _ASM_TOKEN.finditer(masked, start, end):
        token = match[0]
        if token in b"([{":
            depth += 1
        elif token in b")]}":
            depth -= 1
        elif depth == 0 and not (
            token == b"::" and masked[match.start() - 1 : match.start()].isalnum()
        ):
            return match.start()
    return end


def _literals(data: bytes, start: int, end: int) -> Iterator[str]:
    for match in _STRING.finditer(data, start, end):
        body = match[1]
        if data[match.start() - 1 : match.start()] == b"R":
            body = body.partition(b"(")[2].rpartition(b")")[0]
        else:
            body = _ESCAPE.sub(
                lambda escape: _ESCAPES.get(escape[1] or b"", escape[2] or b""), body
            )
        yield body.decode("utf-8", "replace")


def read_mnemonics(text: str) -> tuple[str, ...]:
    """The instructions of a piece of PTX in order, with their modifiers, directives left out."""
    found: list[str] = []
    for statement in re.split(r"[;{}\n]", _PTX_COMMENT.sub(" ", text)):
        match = _PTX_STATEMENT.match(statement.strip())
        if match and not match[1].startswith("_"):
            found.append(match[1].lower())
    return tuple(found)


def is_ptx(mnemonics: tuple[str, ...]) -> bool:
    """Whether instructions are PTX, not a host processor's: typed or scoped names, or PTX's own."""
    return any("." in mnemonic or mnemonic.split(".")[0] in _PTX_WORDS for mnemonic in mnemonics)


_TYPES = re.compile(
    r"(?:[busf]\d+(?:x\d+)?|pred|tf32|bf16(?:x2)?|f16x2|e4m3\w*|e5m2\w*|v[248]|m\d+n\d+k?\d*\w*)"
)
_WORST = (
    "tcgen05", "wgmma", "mma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "cp.async", "cp.reduce",
    "mbarrier", "cluster", "barrier.cluster", "multimem", "griddepcontrol", "setmaxnreg", "elect",
    "red", "atom", "fence", "membar", "ld", "st", "bar", "barrier", "shfl", "vote", "match", "redux",
)  # fmt: skip


def worst_instruction(mnemonics: tuple[str, ...]) -> str:
    """The instruction that decides a block: matrix and async first, then memory order, then the rest."""

    def rank(mnemonic: str) -> int:
        for place, start in enumerate(_WORST):
            if mnemonic == start or mnemonic.startswith(start + "."):
                return place
        return len(_WORST)

    return min(mnemonics, key=rank)


def short_mnemonic(mnemonic: str) -> str:
    """An instruction's name without types: ``mma.sync``, ``cp.async``, ``ld.global``, ``mov``."""
    parts = mnemonic.split(".")
    kept = [parts[0]]
    for part in parts[1:2]:
        if not _TYPES.fullmatch(part):
            kept.append(part)
    return ".".join(kept)


@dataclass(frozen=True, slots=True)
class SharedText:
    """A ``__shared__`` variable by offset."""

    start: int
    name: str
    type: str
    extent: str
    dynamic: bool


def find_shared(masked: bytes) -> Iterator[SharedText]:
    """Find ``__shared__`` declarations."""
    if b"__shared__" not in masked:
        return
    for match in _SHARED.finditer(masked):
        yield SharedText(
            match.start(),
            match[4].decode("latin-1"),
            _tidy(match[3]),
            _tidy(match[5]),
            match[1] is not None,
        )
