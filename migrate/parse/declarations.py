"""Whether a name is being declared, as far as the words around it tell."""

from __future__ import annotations

import re
from enum import Enum

STATEMENT_WORDS = frozenset(
    {
        *(b"return", b"else", b"do", b"throw", b"case", b"new", b"delete", b"sizeof", b"goto"),
        *(b"co_return", b"co_yield", b"co_await", b"and", b"or", b"not", b"typename", b"using"),
        *(b"const", b"static", b"extern", b"inline", b"constexpr", b"volatile", b"typedef"),
        *(b"struct", b"enum", b"union", b"class", b"public", b"private", b"mutable", b"register"),
        *(b"thread_local", b"explicit", b"friend", b"virtual", b"template", b"constinit"),
    }
)
_STATEMENT_START = re.compile(rb"[;{}]|\n[^\S\n]*#[^\n]*")
_TYPE = re.compile(rb"[\w\s:<>,&*\"\[\]]*")
_LONGEST_TYPE = 300
_BODY = re.compile(rb"\s*+(?:(?:const|noexcept|override|final|volatile)\b\s*+)*+(?:->[^;{}]*+)?\{")
_END = re.compile(rb"\s*+(?:(?:const|noexcept)\b\s*+)*+;")


def may_declare(before: bytes) -> bool:
    """Whether the token before a name can end a type, so that the name may be declared there."""
    if before[:1].isalpha() or before[:1] == b"_":
        return before not in STATEMENT_WORDS
    return before in {b"*", b"&", b">", b")", b"]"}


class Declared(Enum):
    """How a file declares a name at a place."""

    NOT = "it does not"
    PROTOTYPE = "without a body: where it is defined is not told"
    DEFINED = "as something of its own"


def declares_by_text(
    masked: bytes, start: int, before: bytes, behind: int, *, at_file_scope: bool
) -> Declared:
    """Whether ``name(...)`` behind something like a type is a definition or a prototype.

    Args:
        masked: the file's code.
        start: offset of the name.
        before: the token before the name.
        behind: offset behind the closing bracket.
        at_file_scope: whether no function is around it; only there a ``;`` ends a prototype.
    """
    if before in {b")", b"]"}:
        return Declared.NOT
    if _BODY.match(masked, behind):
        return Declared.DEFINED
    if at_file_scope and _END.match(masked, behind) and _type_stands_before(masked, start):
        return Declared.PROTOTYPE
    return Declared.NOT


def _type_stands_before(masked: bytes, start: int) -> bool:
    """Whether what the statement begins with can be a type: ``x = y *`` and ``p->x *`` are none."""
    text = masked[max(0, start - _LONGEST_TYPE) : start]
    return _TYPE.fullmatch(_STATEMENT_START.split(text)[-1]) is not None
