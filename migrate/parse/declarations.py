"""Whether a name is being declared, as far as the words around it tell."""

from __future__ import annotations

import re

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


def may_declare(before: bytes) -> bool:
    """Whether the token before a name can end a type, so that the name may be declared there."""
    if before[:1].isalpha() or before[:1] == b"_":
        return before not in _STATEMENT_WORDS
    return before in {b"*", b"&", b">", b")", b"]"}


def declares_by_text(masked: bytes, before: bytes, behind: int, *, at_file_scope: bool) -> bool:
    """Whether ``name(...)`` behind something like a type is a definition or a prototype.

    Args:
        masked: the file's code.
        before: the token before the name.
        behind: offset behind the closing bracket.
        at_file_scope: whether no function is around it; only there a ``;`` ends a prototype.
    """
    if before in {b")", b"]"}:
        return False
    if _BODY.match(masked, behind):
        return True
    return at_file_scope and _END.match(masked, behind) is not None
