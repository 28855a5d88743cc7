"""CUDA constructs that are no names: kernel launches and shared memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.parse.brackets import split_arguments
from migrate.parse.directives import Directives

_LAUNCH = re.compile(rb"(?<!<)<<<(?!<)")
_LAUNCH_TOKEN = re.compile(rb"[()\[\]{};]|>>>|<<<")
_KERNEL = re.compile(rb"((?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*(?:template\s+)?[A-Za-z_]\w*)*)\s*$")
_LONGEST_LAUNCH = 4000
_LONGEST_NAME = 600
_SHARED_WORD = re.compile(rb"\b__shared__\b")
_EXTERN = re.compile(rb"\bextern\s*(?:\"[^\"\n]*\"\s*)?$")
_ATTRIBUTE = re.compile(rb"\b(?:__align__|alignas|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)")
_DECLARATION_TOKEN = re.compile(rb"[()\[\]{},;=]|->|<|>")
_DECLARATOR = re.compile(rb"([\s\S]*?)([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)$")
_LONGEST_DECLARATION = 2000


@dataclass(frozen=True, slots=True)
class LaunchText:
    """A launch by offsets: its configuration as written, part by part."""

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
        split = split_arguments(inner)
        parts = tuple(tidy(inner[start:end]) for start, end in split[0]) if split else ()
        kernel = _kernel_before(masked, match.start())
        if parts and kernel:
            yield LaunchText(match.start(), close + 3, kernel, parts)


def _launch_end(masked: bytes, start: int) -> int:
    depth = 0
    for match in _LAUNCH_TOKEN.finditer(masked, start, start + _LONGEST_LAUNCH):
        token = match[0]
        if token == b">>>":
            if depth == 0:
                return match.start()
        elif token in b"([{":
            depth += 1
        elif token in b";<<<" or depth == 0:
            return -1
        else:
            depth -= 1
    return -1


def _kernel_before(masked: bytes, end: int) -> str:
    text = masked[max(0, end - _LONGEST_NAME) : end].rstrip()
    text = text.removesuffix(b"\\").rstrip()
    if text.endswith(b">"):
        text = _before_template_arguments(text)
    if text.endswith((b")", b"]")):
        return "(expression)"
    match = _KERNEL.search(text, max(0, len(text) - _LONGEST_NAME // 4))
    return "".join(match[1].decode("latin-1").split()) if match else ""


def _before_template_arguments(text: bytes) -> bytes:
    """What stands before the ``<...>`` that a text ends with; comparisons in brackets are none."""
    angles = brackets = 0
    for at in range(len(text) - 1, -1, -1):
        character = text[at : at + 1]
        brackets += (character in b")]}") - (character in b"([{")
        if not brackets and character in b"<>":
            angles += 1 if character == b">" else -1
            if angles == 0:
                return text[:at].rstrip()
    return text


def tidy(text: bytes) -> str:
    """A piece of code on one line, with single spaces."""
    if b"\\" in text:
        text = text.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    return " ".join(text.decode("utf-8", "replace").split())


@dataclass(frozen=True, slots=True)
class SharedText:
    """A ``__shared__`` variable by offset."""

    start: int
    name: str
    type: str
    extent: str
    dynamic: bool


def find_shared(masked: bytes, directives: Directives) -> Iterator[SharedText]:
    """Find ``__shared__`` declarations, each variable of a list by itself."""
    for match in _SHARED_WORD.finditer(masked):
        start = match.start()
        directive = directives.at(start)
        limit = directive.end if directive else len(masked)
        following = masked.find(
            b"__shared__", match.end(), min(limit, start + _LONGEST_DECLARATION)
        )
        limit = following if following >= 0 else limit
        dynamic = _EXTERN.search(masked, max(0, start - 40), start) is not None
        shared_type = ""
        for number, declarator in enumerate(_declarators(masked, match.end(), limit)):
            parts = _DECLARATOR.fullmatch(declarator.strip())
            if parts is None:
                break
            if number == 0:
                shared_type = tidy(parts[1])
            if shared_type:
                name = parts[2].decode("ascii")
                yield SharedText(start, name, shared_type, tidy(parts[3]), dynamic)


def _declarators(masked: bytes, start: int, limit: int) -> list[bytes]:
    """The variables that one declaration lists, the first with its type, none with its value."""
    text = masked[start : min(limit, start + _LONGEST_DECLARATION)].replace(b"\\\n", b" \n")
    text = _ATTRIBUTE.sub(lambda attribute: b" " * len(attribute[0]), text)
    found: list[bytes] = []
    depth = angles = first = 0
    value = -1
    for match in _DECLARATION_TOKEN.finditer(text):
        token = match[0]
        if token in b"([{":
            depth += 1
        elif token in b")]}":
            depth -= 1
        elif depth == 0 and token in {b"<", b">"}:
            angles = max(0, angles + (1 if token == b"<" else -1))
        elif depth == angles == 0 and token == b"=":
            value = match.start() if value < 0 else value
        elif depth == 0 and (token == b";" or (token == b"," and not angles)):
            found.append(text[first : value if value >= 0 else match.start()])
            first, value = match.end(), -1
            if token == b";":
                return found
        if depth < 0:
            return found
    return found
