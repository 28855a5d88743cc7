"""Inline assembly: the statements, their text put together, and the PTX instructions in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.parse.brackets import LONGEST_LIST, closing_parenthesis
from migrate.parse.directives import Directives, defined_macro

ASM_WORDS = frozenset({b"asm", b"__asm__", b"__asm"})

_ASM = re.compile(
    rb"(?<![\w.>])(?:asm|__asm__|__asm)\s*(?:(?:volatile|__volatile__|__volatile|inline|goto)\s*)*\("
)
_ASM_TOKEN = re.compile(rb"[()\[\]{},]|::?")
_PIECE = re.compile(rb'(?:\b(?:u8|[LuU])?(R)?)?"([^"]*)"|([A-Za-z_]\w*)')
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\n"}
_ESCAPE = re.compile(rb"\\(?:([ntr])|\r?\n|([\s\S]))")
_ONLY_LITERALS = re.compile(rb'\s*(?:"[^"]*"[\s\\]*)+')
_PTX_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_PTX_STATEMENT = re.compile(
    r"[\s{}]*(?:[%$\w=]+:[\s{}]*)*(?:@!?%?\w+\s+)?([a-z_][a-z0-9_]*(?:\.[a-z0-9_:]+)*)(?![\w:]|%=)",
    re.IGNORECASE,
)
_PTX_WORDS = frozenset(
    {
        *("brkpt", "nanosleep", "membar", "setmaxnreg", "griddepcontrol", "activemask", "elect"),
        *("tcgen05", "wgmma", "mbarrier", "cp", "mapa", "getctarank", "multimem", "redux", "shfl"),
        *("ldmatrix", "stmatrix", "movmatrix", "cvta", "isspacep", "prefetchu", "lop3", "prmt"),
    }
)
"""Instructions that no host processor has under this name."""
_TYPES = re.compile(
    r"(?:[busf]\d+(?:x\d+)?|pred|tf32|bf16(?:x2)?|f16x2|e4m3\w*|e5m2\w*|v[248]|m\d+n\d+k?\d*\w*)"
)
_PTX_MODIFIERS = frozenset(
    {
        *("sync", "async", "aligned", "volatile", "relaxed", "acquire", "release", "acq_rel"),
        *("global", "shared", "local", "const", "param", "cta", "gpu", "sys", "cluster"),
        *("approx", "full", "rn", "rz", "rm", "rp", "sat", "ftz", "cc", "lo", "hi", "wide", "uni"),
        *("tensormap", "alias", "before_thread_sync", "after_thread_sync"),
        *("proxy", "mbarrier_init", "init", "inval", "arrive", "wait", "to", "gl", "geom"),
    }
)
_WORST = (
    *("tcgen05", "wgmma", "mma", "wmma", "ldmatrix", "stmatrix", "movmatrix"),
    *(
        "cp.async.bulk",
        "cp.reduce",
        "cp.async",
        "mbarrier",
        "cluster",
        "barrier.cluster",
        "multimem",
    ),
    *("griddepcontrol", "setmaxnreg", "elect", "red", "atom", "fence", "membar"),
    *("ld", "st", "bar", "barrier", "shfl", "vote", "match", "redux"),
)
_TELLING = (
    *("cp.async.bulk.tensor", "cp.async.bulk.prefetch.tensor", "cp.async.bulk.prefetch"),
    *("cp.async.bulk.commit_group", "cp.async.bulk.wait_group", "cp.async.bulk"),
    *("cp.reduce.async.bulk.tensor", "cp.reduce.async.bulk"),
    *("tcgen05.mma.ws", "tcgen05.mma.sp", "mbarrier.arrive.expect_tx", "wgmma.mma_async.sp"),
    *("fence.proxy.async", "fence.proxy.tensormap", "fence.proxy.alias"),
    *("ld.shared::cluster", "st.shared::cluster", "mapa.shared::cluster"),
    *("barrier.cluster.arrive", "barrier.cluster.wait"),
)
"""Instructions whose family more than one modifier tells, the longer ones first.

The bulk copies are the tensor memory accelerator's, ``cp.async`` alone is Ampere's; ``::cluster``
is the shared memory of another block (PTX ISA 8.7, data movement and fence instructions).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AsmText:
    """An asm statement by offsets, with the instructions that its literals spell out.

    ``operands`` has the text behind each mnemonic. ``complete`` is false where part of the text
    comes from macros that the file does not define.
    """

    start: int
    end: int
    text: str
    mnemonics: tuple[str, ...]
    operands: tuple[str, ...]
    complete: bool


def find_asm(data: bytes, masked: bytes, directives: Directives) -> Iterator[AsmText]:
    """Find asm statements with an instruction; an empty one is only a compiler barrier."""
    macros: dict[bytes, str] | None = None
    behind = 0
    for match in _ASM.finditer(masked):
        if match.start() < behind:
            continue
        close = closing_parenthesis(masked, match.end() - 1)
        if close < 0:
            behind = match.end() + LONGEST_LIST // 2
            continue
        behind = close + 1
        template = _template_end(masked, match.end(), close)
        words = _PIECE.finditer(masked, match.end(), template)
        if macros is None and any(word[3] for word in words):
            macros = _string_macros(data, masked, directives)
        text, complete = _text(data, masked, (match.end(), template), macros or {})
        if _PTX_COMMENT.sub("", text).strip() or not complete:
            instructions = read_instructions(text)
            yield AsmText(
                start=match.start(),
                end=behind,
                text=text,
                mnemonics=tuple(mnemonic for mnemonic, _ in instructions),
                operands=tuple(operands for _, operands in instructions),
                complete=complete,
            )


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


def _text(
    data: bytes, masked: bytes, span: tuple[int, int], macros: dict[bytes, str]
) -> tuple[str, bool]:
    """The text that the literals and the file's own string macros in a stretch spell out."""
    parts: list[str] = []
    complete = True
    for piece in _PIECE.finditer(masked, *span):
        if piece[3] is None:
            parts.append(_literal(data[piece.start(2) : piece.end(2)], raw=piece[1] is not None))
        elif piece[3] in macros:
            parts.append(macros[piece[3]])
        else:
            complete = False
    return "".join(parts), complete


def _literal(body: bytes, *, raw: bool) -> str:
    if raw:
        body = body.partition(b"(")[2].rpartition(b")")[0]
    elif b"\\" in body:
        if b"\\\\" not in body:
            body = body.replace(b"\\n", b"\n").replace(b"\\t", b"\t")
        body = _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1] or b"", escape[2] or b""), body)
    return body.decode("utf-8", "replace")


def _string_macros(data: bytes, masked: bytes, directives: Directives) -> dict[bytes, str]:
    """The macros of a file whose whole body is string literals."""
    found: dict[bytes, str] = {}
    for line in directives.of("define"):
        macro = defined_macro(masked, line)
        if macro is None or macro.function_like:
            continue
        if _ONLY_LITERALS.fullmatch(masked, macro.body, line.end):
            text, _ = _text(data, masked, (macro.body, line.end), {})
            found[macro.name.encode()] = text
    return found


def read_instructions(text: str) -> tuple[tuple[str, str], ...]:
    """The instructions of a piece of PTX in order: mnemonic with its modifiers, and operands.

    Directives are left out.
    """
    found: list[tuple[str, str]] = []
    for statement in _PTX_COMMENT.sub(" ", text).split(";"):
        match = _PTX_STATEMENT.match(statement)
        if match and not match[1].startswith("_"):
            found.append((match[1].lower(), statement[match.end() :].strip()))
    return tuple(found)


def is_ptx(mnemonics: tuple[str, ...]) -> bool:
    """Whether instructions are PTX, not a host processor's: typed or scoped names, or PTX's own."""
    return any(
        head in _PTX_WORDS or any(_TYPES.fullmatch(p) or p in _PTX_MODIFIERS for p in modifiers)
        for head, *modifiers in (mnemonic.replace("::", ".").split(".") for mnemonic in mnemonics)
    )


def worst_instruction(mnemonics: tuple[str, ...]) -> str:
    """The instruction that decides a block: matrix and async, then memory order, then the rest.

    A move is named only where nothing else is done.
    """

    def rank(mnemonic: str) -> int:
        for place, start in enumerate(_WORST):
            if mnemonic == start or mnemonic.startswith(start + "."):
                return place
        return len(_WORST) + (mnemonic.partition(".")[0] == "mov")

    return min(mnemonics, key=rank)


def short_mnemonic(mnemonic: str) -> str:
    """An instruction's name without types: ``mma.sync``, ``cp.async``, ``ld.global``, ``mov``.

    Where more of it says what hardware does the job, more is kept (``_TELLING``); of a modifier
    with parts, as ``fence::before_thread_sync``, the first.
    """
    for start in _TELLING:
        if mnemonic.startswith(start) and mnemonic[len(start) :][:1] in {"", ".", ":"}:
            return start
    head, *modifiers = mnemonic.split(".")
    kept = [part.split("::")[0] for part in modifiers[:1] if not _TYPES.fullmatch(part)]
    return ".".join([head, *kept])
