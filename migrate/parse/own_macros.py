"""A project's macros for kernel heads and launches met in a file: heads opened, launches found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.parse.brackets import Brackets
from migrate.parse.constructs import LaunchText, tidy
from migrate.parse.directives import Directive, Directives, defined_macro
from migrate.parse.own_words import HeadMacro, LaunchMacro, OwnWords, with_arguments
from migrate.parse.uses import CodeText
from migrate.parse.words import find_words

_OPENING = re.compile(rb"\s*+\(")
_NAME = re.compile(rb"\s*+([A-Za-z_]\w*+)\s*+")
_BEHIND = re.compile(rb"\s*+[{;]")
_CAST = re.compile(rb"\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)|reinterpret_cast\s*<[^<>]*>")
_KERNEL = re.compile(
    rb"((?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*(?:template\s+)?[A-Za-z_]\w*)*)\s*(?:<|$)"
)


def with_open_heads(masked: bytes, directives: Directives, own: OwnWords) -> bytes:
    """A file's code with the brackets of kernel heads taken off the kernel's name.

    ``KERNEL_DECLARE(k)(int n) {`` becomes ``KERNEL_DECLARE k (int n) {``, a function's head with a
    qualifier. Every byte keeps its place.
    """
    if not own.heads:
        return masked
    brackets = Brackets(masked)
    text = bytearray(masked)
    macros = {macro.name: macro for macro in own.heads}
    for start, word in find_words(masked, macros):
        if directives.at(start) is None:
            _open_head(masked, text, brackets, macros[word], start + len(word))
    return bytes(text)


def _open_head(
    masked: bytes, text: bytearray, brackets: Brackets, macro: HeadMacro, at: int
) -> None:
    bracket = _OPENING.match(masked, at)
    split = brackets.arguments(bracket.end() - 1) if bracket else None
    if bracket is None or split is None or len(split[0]) <= macro.named:
        return
    opening = bracket.end() - 1
    spans, behind = split
    start, end = spans[macro.named]
    following = _OPENING.match(masked, behind)
    parameters = brackets.arguments(following.end() - 1) if following and not macro.whole else None
    closed = behind if macro.whole else parameters[1] if parameters else -1
    if not _NAME.fullmatch(masked, start, end) or closed < 0 or not _BEHIND.match(masked, closed):
        return
    text[opening:start] = b" " * (start - opening)
    if not macro.whole:
        text[end:behind] = b" " * (behind - end)
    elif macro.named + 1 < len(spans):
        text[end : end + 1] = b"("


def find_own_launches(code: CodeText, own: OwnWords) -> Iterator[LaunchText]:
    """Find the launches by macros of the project, one that hands a parameter on left out."""
    if not own.launches:
        return
    macros = {macro.name: macro for macro in own.launches}
    for start, word in find_words(code.masked, macros):
        bracket = _OPENING.match(code.masked, start + len(word))
        split = code.brackets.arguments(bracket.end() - 1) if bracket else None
        directive = code.directives.at(start)
        if split is None or (directive is not None and directive.word != "define"):
            continue
        arguments = [code.masked[a:b].strip() for a, b in split[0]]
        launch = _launch(macros[word], arguments, start, split[1])
        if launch is not None and not _is_parameter(code.masked, directive, launch.kernel):
            yield launch


def _launch(macro: LaunchMacro, arguments: list[bytes], start: int, end: int) -> LaunchText | None:
    given = dict(zip(macro.parameters, arguments, strict=False))
    kernel = _KERNEL.match(_CAST.sub(b"", given.get(macro.kernel, b"")).strip(b"&() \t\r\n"))
    if kernel is None:
        return None
    parts = tuple(tidy(with_arguments(part, given)) for part in macro.parts)
    return LaunchText(start, end, "".join(kernel[1].decode("latin-1").split()), parts)


def _is_parameter(masked: bytes, directive: Directive | None, kernel: str) -> bool:
    """Whether a kernel is a parameter of the macro whose body launches it."""
    macro = defined_macro(masked, directive) if directive else None
    if macro is None or directive is None or not macro.function_like:
        return False
    closing = masked.find(b")", macro.body, directive.end)
    parameters = masked[macro.body + 1 : max(closing, macro.body)].replace(b"\\", b" ").split(b",")
    return kernel.encode() in {one.strip() for one in parameters}
