"""Names of the project that stand for one name of CUDA's: macros, types, constants, functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from migrate.model.facts import AliasKind, UseKind
from migrate.parse.directives import DefinedMacro
from migrate.parse.uses import CodeText, FoundUse

_WORD = rb"(?:::\s*+)?([A-Za-z_]\w*+)"
_ONE_WORD = re.compile(rb"\(?\s*+" + _WORD + rb"\s*+\)?")
_CALL = re.compile(_WORD + rb"\s*+\(([^()]*+)\)")
_PASTE = re.compile(
    rb"((?:cuda|cu|cublas(?:Lt)?|cufft|curand|cusparse|cusolver|cudnn|nccl|nvrtc|nvml)(?:[A-Z]\w*+)?)"
    rb"\s*+##\s*+([A-Za-z_]\w*+)\s*+(?:\([^()]*+\))?"
)
_DECLARED = re.compile(
    rb"\btypedef\s++(?:struct\s++|enum\s++)?+" + _WORD + rb"\s++([A-Za-z_]\w*+)\s*+;"
    rb"|\busing\s++([A-Za-z_]\w*+)\s*+=\s*+" + _WORD + rb"\s*+;"
    rb"|\b(?:constexpr|const)\s++[A-Za-z_]\w*+\s++([A-Za-z_]\w*+)\s*+=\s*+" + _WORD + rb"\s*+;"
)
_FUNCTION_HEAD = re.compile(rb"([A-Za-z_]\w*+)\s*+\Z")
_RETURN = re.compile(rb"\breturn\s*+\Z")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_LIBRARY = re.compile(r"(?:cuda|cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvrtc|nvml|cu)_?")
_FARTHEST = 2000
"""So many bytes before a call the head of its function is looked for."""
_BEFORE = frozenset({b"{", b"return", b"::"})


class AliasText(NamedTuple):
    """A name by offset that stands for a CUDA name; macros are told by themselves."""

    start: int
    name: str
    symbol: str
    kind: AliasKind


def macro_alias(masked: bytes, macro: DefinedMacro, end: int, known: Collection[bytes]) -> str:
    """The CUDA name that a macro stands for and nothing else; ``cuda##`` where it pastes one.

    A macro with parameters stands for a name where it hands all of them on in their order. "" for
    other macros, and for one called like a name of CUDA's itself. ``known`` are the words of
    the file that the tables answer for.
    """
    if macro.name.encode() in known:
        return ""
    body = masked[macro.body : end].replace(b"\\\n", b" ").replace(b"\\\r\n", b" ")
    if not macro.function_like:
        word = _ONE_WORD.fullmatch(body.strip())
        return _known(word[1], known) if word else ""
    parameters, _, text = body.partition(b")")
    names = [one.strip() for one in parameters.strip().removeprefix(b"(").split(b",")]
    text = text.strip()
    if text.startswith(b"(") and text.endswith(b")"):
        text = text[1:-1].strip()
    call = _CALL.fullmatch(text)
    if call and [one.strip() for one in call[2].split(b",")] == _as_used(names):
        return _known(call[1], known)
    paste = _PASTE.fullmatch(text)
    return f"{paste[1].decode()}##" if paste and paste[2] in names else ""


def _as_used(parameters: Iterable[bytes]) -> list[bytes]:
    return [b"__VA_ARGS__" if one == b"..." else one for one in parameters]


def _known(word: bytes, known: Collection[bytes]) -> str:
    return word.decode() if word in known else ""


def declared_aliases(masked: bytes, known: Collection[bytes]) -> Iterator[AliasText]:
    """Types and constants that stand for a CUDA name."""
    for match in _DECLARED.finditer(masked):
        of_type, typedef, using, of_using, constant, of_constant = match.groups()
        name = typedef or using or constant
        symbol = _known(of_type or of_using or of_constant, known)
        if symbol and name not in known:
            kind = AliasKind.CONSTANT if constant else AliasKind.TYPE
            yield AliasText(match.start(), name.decode(), symbol, kind)


def function_aliases(code: CodeText, uses: Iterable[FoundUse]) -> Iterator[AliasText]:
    """Functions that do nothing but call the CUDA function whose name ends as theirs."""
    for use in uses:
        if use.kind is UseKind.CALL and use.before in _BEFORE and _is_last(code, use):
            found = _function_before(code.masked, use.start)
            if found is not None and _same_tail(found[1], use.symbol):
                yield AliasText(*found, use.symbol, AliasKind.FUNCTION)


def _is_last(code: CodeText, use: FoundUse) -> bool:
    """Whether a call is followed by its semicolon and the end of a body."""
    split = code.brackets.arguments(use.opening)
    if split is None:
        return False
    semicolon = code.next_code(split[1])
    if code.masked[semicolon : semicolon + 1] != b";":
        return False
    behind = code.next_code(semicolon + 1)
    return code.masked[behind : behind + 1] == b"}"


def _function_before(masked: bytes, start: int) -> tuple[int, str] | None:
    """The name of the function whose body begins before an offset, and where it stands."""
    begin = max(0, start - _FARTHEST)
    before = masked[begin:start].rstrip().removesuffix(b"::")
    before = _RETURN.sub(b"", before).rstrip()
    if not before.endswith(b"{"):
        return None
    head = before[:-1].rstrip().removesuffix(b"noexcept").rstrip()
    opening = _opening(head)
    name = _FUNCTION_HEAD.search(head, max(0, opening - 200), opening) if opening > 0 else None
    return (begin + name.start(1), name[1].decode()) if name else None


def _opening(head: bytes) -> int:
    """The offset of the parenthesis whose closing one ends a text; -1 for none."""
    if not head.endswith(b")"):
        return -1
    depth = 0
    for at in range(len(head) - 1, -1, -1):
        depth += (head[at] == ord(")")) - (head[at] == ord("("))
        if not depth:
            return at
    return -1


def _same_tail(name: str, symbol: str) -> bool:
    """Whether ``gpuMemcpyAsync`` or ``gpu_memcpy_async`` ends as ``cudaMemcpyAsync`` does."""
    library = _LIBRARY.match(symbol)
    tail = _words(symbol[library.end() if library else 0 :])
    words = _words(name)
    return bool(tail) and name != symbol and words[-len(tail) :] == tail


def _words(name: str) -> list[str]:
    return [word.lower() for word in _PART.findall(name)]
