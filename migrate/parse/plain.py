"""The text that the syntax tree is made of: what its grammar cannot know is taken out of the code.

A macro before a declaration or a loop makes a C++ grammar guess, and a wrong guess costs whole
functions. Every byte keeps its place.
"""

from __future__ import annotations

import re
from enum import Enum

from migrate.parse.brackets import Brackets
from migrate.parse.directives import Directives
from migrate.parse.heads import is_qualifier_macro
from migrate.parse.own_words import NO_WORDS, OwnWords
from migrate.parse.words import find_words

_ATTRIBUTES = frozenset({b"__align__", b"__attribute__", b"__declspec"})
_KERNEL_ATTRIBUTES = frozenset(
    {b"__launch_bounds__", b"__cluster_dims__", b"__maxnreg__", b"__block_size__"}
)
_EXPORT_MACRO = re.compile(rb"[A-Z][A-Z0-9_]*_(?:API|EXPORTS?|PUBLIC|DECL|DLL)")
_BEFORE_BRACKET = re.compile(rb"\s*+\(")
_RAW_STRING = re.compile(rb'\b(?:u8|[LuU])?R"[^"]*+"')


class _Form(Enum):
    """What a word is that the grammar does not know."""

    QUALIFIER = "stands for __device__ or __global__"
    MACRO = "stands for nothing in a declaration, as an export macro"
    HEAD = "stands for a kernel's qualifiers and void"
    LOOP = "stands before a loop"
    ATTRIBUTE = "an attribute with its bracket"
    KERNEL_ATTRIBUTE = "what a kernel's head carries beside, with its bracket"


_INSTEAD = {
    _Form.QUALIFIER: b"inline",
    _Form.KERNEL_ATTRIBUTE: b"inline",
    _Form.HEAD: b"void",
}
"""What keeps the start of a declaration at its place."""
_DECLARATION = re.compile(rb"\s++(?:[A-Za-z_~]|::|\[\[)")
_FOLLOWED_BY = {
    _Form.QUALIFIER: _DECLARATION,
    _Form.HEAD: _DECLARATION,
    _Form.MACRO: _DECLARATION,
    _Form.LOOP: re.compile(rb"\s++(?:for|while|do)\b"),
}


def text_for_tree(
    masked: bytes,
    words: set[bytes],
    brackets: Brackets,
    directives: Directives,
    own: OwnWords = NO_WORDS,
) -> bytes:
    """Blank the attributes and macros of a masked file; one for ``__device__`` gets ``inline``.

    ``own`` are the project's words for qualifiers; a kernel's head by a macro gets ``void``.
    """
    spans = [(b"", span) for span in _raw_strings(masked, words)]
    forms = _forms(words) | _own_forms(own)
    behind = 0
    for start, word in sorted(find_words(masked, forms)) if forms else ():
        end = start + len(word)
        form = forms[word]
        if form in {_Form.ATTRIBUTE, _Form.KERNEL_ATTRIBUTE}:
            bracket = _BEFORE_BRACKET.match(masked, end)
            closed = brackets.arguments(bracket.end() - 1) if bracket else None
            if closed is None or closed[1] <= behind or directives.at(start) is not None:
                continue
            end = behind = closed[1]
        elif form is _Form.QUALIFIER and masked[max(0, start - 4) : start].rstrip().endswith(b"]"):
            form = _Form.MACRO
        elif not _FOLLOWED_BY[form].match(masked, end):
            continue
        spans.append((_INSTEAD.get(form, b""), (start, end)))
    return _replaced(masked, spans)


def _forms(words: set[bytes]) -> dict[bytes, _Form]:
    forms = dict.fromkeys(words & _ATTRIBUTES, _Form.ATTRIBUTE)
    forms |= dict.fromkeys(words & _KERNEL_ATTRIBUTES, _Form.KERNEL_ATTRIBUTE)
    for word in words:
        if word == b"__grid_constant__":
            forms[word] = _Form.MACRO
        elif word == b"__hostdev__":
            forms[word] = _Form.QUALIFIER
        elif word.isupper() and len(word) > 1:
            if is_qualifier_macro(word):
                forms[word] = _Form.QUALIFIER
            elif b"UNROLL" in word:
                forms[word] = _Form.LOOP
            elif _EXPORT_MACRO.fullmatch(word):
                forms[word] = _Form.MACRO
    return forms


def _own_forms(own: OwnWords) -> dict[bytes, _Form]:
    heads = {macro.name for macro in own.heads}
    return {
        word: _Form.KERNEL_ATTRIBUTE
        if word in own.bracketed
        else _Form.HEAD
        if word in heads
        else _Form.QUALIFIER
        for word in own.qualifiers
    }


def _raw_strings(masked: bytes, words: set[bytes]) -> list[tuple[int, int]]:
    """Raw strings, whose brackets the mask has taken away: they would never end."""
    if not words & {b"R", b"LR", b"uR", b"UR", b"u8R"}:
        return []
    return [match.span() for match in _RAW_STRING.finditer(masked)]


def _replaced(masked: bytes, spans: list[tuple[bytes, tuple[int, int]]]) -> bytes:
    if not spans:
        return masked
    text = bytearray(masked)
    for word, (start, end) in spans:
        replacement = word if len(word) <= end - start else b""
        text[start:end] = replacement.ljust(end - start)
    return bytes(text)
