"""Whether a name is being declared, as far as the words around it tell."""

from __future__ import annotations

import re

_BEFORE = re.compile(rb"([A-Za-z_]\w*|[^\s\w])[\s\\]*$")
_STATEMENT_WORDS = frozenset(
    {
        *(b"return", b"else", b"do", b"throw", b"case", b"new", b"delete", b"sizeof", b"goto"),
        *(b"co_return", b"co_yield", b"co_await", b"and", b"or", b"not", b"typename", b"using"),
        *(b"const", b"static", b"extern", b"inline", b"constexpr", b"volatile", b"typedef"),
        *(b"struct", b"enum", b"union", b"class", b"public", b"private", b"mutable", b"register"),
        *(b"thread_local", b"explicit", b"friend", b"virtual", b"template", b"constinit"),
    }
)
_BODY = re.compile(rb"\s*+(?:(?:const|noexcept|override|final|volatile)\b\s*+)*+(?:->[^;{}]*+)?\{")
_END = re.compile(rb"\s*+(?:(?:const|noexcept)\b\s*+)*+;")
_REACH = 120


def may_declare(masked: bytes, start: int) -> bool:
    """Whether what stands before a name can be a type, so that the name may be declared there."""
    before = _BEFORE.search(masked, max(0, start - _REACH), start)
    if before is None:
        return False
    word = before[1]
    if word[:1].isalpha() or word[:1] == b"_":
        return word not in _STATEMENT_WORDS
    return word in {b"*", b"&", b">", b")", b"]"}


def declares_by_text(masked: bytes, start: int, behind: int, *, at_file_scope: bool) -> bool:
    """Whether ``name(...)`` behind something like a type is a definition or a prototype.

    Args:
        masked: the file's code.
        start: offset of the name.
        behind: offset behind the closing bracket.
        at_file_scope: whether no function is around it; only there a ``;`` ends a prototype.
    """
    before = _BEFORE.search(masked, max(0, start - _REACH), start)
    if before is None or before[1] in {b")", b"]"}:
        return False
    if _BODY.match(masked, behind):
        return True
    return at_file_scope and _END.match(masked, behind) is not None
