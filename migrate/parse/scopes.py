"""Function definitions found by their braces alone: the answer where the syntax tree has errors."""

from __future__ import annotations

import re
from dataclasses import dataclass

from migrate.model.verdict import Side

_BRACE = re.compile(rb"[{};]")
_DIRECTIVE_LINE = re.compile(rb"^[^\S\n]*#(?:[^\n\\]|\\[\s\S])*", re.MULTILINE)
_NOT_FUNCTION = re.compile(
    rb"\b(?:if|for|while|switch|catch|do|else|namespace|struct|class|enum|union|try|return|new"
    rb"|requires)\b|=\s*$|^\s*extern\s*(?:\"[^\"]*\")?\s*$"
)
_NOISE = re.compile(
    rb"\b(?:__launch_bounds__|__cluster_dims__|__block_size__|__maxnreg__|__attribute__|alignas"
    rb"|__align__|decltype|noexcept|__declspec)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
_NAME = re.compile(rb"((?:~\s*)?[A-Za-z_]\w*(?:\s*::\s*~?[A-Za-z_]\w*)*|operator\s*\S{1,3})\s*\(")
_ATTRIBUTE = re.compile(rb"__(?:launch_bounds|cluster_dims|block_size|maxnreg)__\s*\([^()]*\)")
_TEMPLATE_HEAD = re.compile(rb"^\s*template\s*<")
_GLOBAL = re.compile(rb"\b__global__\b|\b[A-Z][A-Z0-9_]*_GLOBAL(?:_\w+)?\b")
_DEVICE = re.compile(
    rb"\b__device__\b|\b[A-Z][A-Z0-9_]*_?DEVICE\w*\b|\b\w+_DEVICE_\w+\b|\b[a-z_]+_device_inline\b"
)
_HOST = re.compile(rb"\b__host__\b|\b[A-Z0-9_]*HOST_?DEVICE\w*\b|\b[A-Z0-9_]*(?:HD|HOST)\b")


@dataclass(frozen=True, slots=True)
class Scope:
    """A function definition by offsets: from the start of its head to behind its closing brace."""

    start: int
    body: int
    end: int
    name: str
    side: Side
    kernel: bool
    attributes: tuple[str, ...]


def describe_head(head: bytes) -> tuple[Side, bool, tuple[str, ...]]:
    """Read a function head's qualifiers: where it runs, whether it is a kernel, its attributes.

    A project's own spelling counts where it says so itself: ``CUTLASS_DEVICE``, ``HOST_DEVICE``.
    """
    attributes = tuple(
        re.sub(r"\s+", "", match[0].decode("latin-1")) for match in _ATTRIBUTE.finditer(head)
    )
    if _GLOBAL.search(head):
        return Side.DEVICE, True, attributes
    device = _DEVICE.search(head) is not None
    if device and _HOST.search(head):
        return Side.BOTH, False, attributes
    return (Side.DEVICE if device else Side.HOST), False, attributes


def head_name(head: bytes) -> str:
    """The declared name in a function head, "" where there is none."""
    cleaned = _NOISE.sub(lambda match: b" " * len(match[0]), head)
    match = _NAME.search(cleaned)
    return re.sub(r"\s+", "", match[1].decode("latin-1")) if match else ""


def find_scopes(masked: bytes) -> list[Scope]:
    """Find function definitions by matching braces; outermost functions only, in order of place.

    Preprocessor lines are passed over. Where branches of an ``#if`` leave braces unbalanced, a
    closing brace too many is ignored, and what follows counts at file level.
    """
    code = _DIRECTIVE_LINE.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), masked)
    scopes: list[Scope] = []
    stack: list[tuple[int, bytes | None, int]] = []
    inside = 0
    last = 0
    for match in _BRACE.finditer(code):
        character = match[0]
        if character == b"{":
            head = None if inside else _function_head(code[last : match.start()])
            stack.append((last, head, match.start()))
            inside += head is not None
        elif character == b"}" and stack:
            start, head, body = stack.pop()
            if head is not None:
                inside -= 1
                scopes.append(_scope(head, start, body, match.end()))
        last = match.end()
    return scopes


def _function_head(text: bytes) -> bytes | None:
    if b"(" not in text or _NOT_FUNCTION.search(_without_template(text)):
        return None
    return text if head_name(text) else None


def _without_template(text: bytes) -> bytes:
    """Drop ``template <class T>`` so that its ``class`` does not read as a class definition."""
    while _TEMPLATE_HEAD.match(text):
        depth = 0
        for match in re.finditer(rb"[<>]", text):
            depth += 1 if match[0] == b"<" else -1
            if depth == 0:
                text = text[match.end() :]
                break
        else:
            return text
    return text


def _scope(head: bytes, start: int, body: int, end: int) -> Scope:
    side, kernel, attributes = describe_head(head)
    offset = len(head) - len(head.lstrip())
    return Scope(
        start + offset, body, end, head_name(_without_template(head)), side, kernel, attributes
    )
