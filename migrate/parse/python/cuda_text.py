"""CUDA code in the strings of a Python file: found, and laid bare for the reader of CUDA.

The file with everything blanked but those strings has its CUDA at the lines and columns of the
Python file. What Python does to a string before CUDA's compiler sees it (escapes, doubled braces,
values put in) is undone in place, so that nothing moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from migrate.parse.python.tree import Path, PythonTree, arguments_of

if TYPE_CHECKING:
    from tree_sitter import Node

KERNEL_WORDS = re.compile(rb"__global__|__device__")
SINKS = {
    "cupy.RawKernel": ("code",),
    "cupy.RawModule": ("code",),
    "cupy._core.raw.RawKernel": ("code",),
    "pycuda.compiler.SourceModule": ("source",),
    "pycuda.compiler.DynamicSourceModule": ("source",),
    "torch.utils.cpp_extension.load_inline": ("", "cpp_sources", "cuda_sources"),
    "torch.cuda._compile_kernel": ("kernel_source",),
    "cuda.nvrtc.nvrtcCreateProgram": ("src",),
    "cuda.bindings.nvrtc.nvrtcCreateProgram": ("src",),
    "cuda.core.Program": ("code",),
    "cuda.core.experimental.Program": ("code",),
}
"""What compiles CUDA at run time, with the parameters that take the source, in their order."""
SINK_WORDS = re.compile(
    rb"\b(?:RawKernel|RawModule|(?:Dynamic)?SourceModule|load_inline|_compile_kernel"
    rb"|nvrtcCreateProgram|Program)(?:\s*\(|\s+as\s)"
)
"""A call of one of them, or an import under another name."""
_MOST_ALIASES = 20
_NOT_CUDA = frozenset({"cpp_sources"})
_MOST = 2000
_MOST_SINKS = 500
_PLACES = 40
_CODE = re.compile(r"[{;]")
_TEXTS = frozenset({"string", "concatenated_string", "binary_operator", "parenthesized_expression"})
_NO_TEXTS = frozenset({"expression_statement", "comparison_operator", "subscript"})
"""What a string is no code in: a docstring stands alone, a word is looked for in code."""
_FORMATTED = re.compile(r"%\((\w+)\)[sdifgx]|\$\{(\w+)\}|\{\{\s*(\w+)\s*\}\}")
_WORD_HOLE = re.compile(r"\{(\w*)(?:![rsa])?(?::[^{}\n]*)?\}")
_NEWLINE_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\n")


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that compiles CUDA: what it calls, where, and whether its source is in the file."""

    name: str
    path: Path
    read: bool
    cuda: bool


@dataclass(frozen=True, slots=True)
class CudaStrings:
    """The strings of a file that are CUDA, and the calls that compile it."""

    strings: tuple[Node, ...]
    sinks: tuple[Sink, ...]


def find_cuda(tree: PythonTree) -> CudaStrings:
    """Find strings that hold device code, and those given to what compiles CUDA."""
    found: dict[int, Node] = {}
    done: set[int] = set()
    for match in islice(KERNEL_WORDS.finditer(tree.data), _MOST):
        text = _text_at(tree, tree.path(match.start()))
        if text is not None and text.start_byte not in done:
            done.add(text.start_byte)
            found.update((node.start_byte, node) for node in _parts(text))
    sinks = []
    for match in islice(_calls(tree), _MOST_SINKS):
        sink, strings = _sink(tree, match.start(), found)
        if sink is not None:
            sinks.append(sink)
            found.update((node.start_byte, node) for node in strings)
    return CudaStrings(tuple(found[start] for start in sorted(found)), tuple(sinks))


def _calls(tree: PythonTree) -> Iterator[re.Match[bytes]]:
    """Where something may be called that compiles CUDA, by its own name or an import's."""
    yield from SINK_WORDS.finditer(tree.data)
    if b" as " not in tree.data:
        return
    aliases = [
        alias
        for alias, name in tree.names.items()
        if name in SINKS and alias != name.rpartition(".")[2]
    ]
    for alias in aliases[:_MOST_ALIASES]:
        yield from re.finditer(rb"(?<![\w.])" + re.escape(alias.encode()) + rb"\s*\(", tree.data)


def _text_at(tree: PythonTree, path: Path) -> Node | None:
    """The text around a place, if it is code: no docstring, no word of a message."""
    strings = [at for at, step in enumerate(path) if step.node.type == "string"]
    if not strings:
        return None
    top = strings[0]
    while top > 0 and path[top - 1].node.type in _TEXTS:
        top -= 1
    text, parent = path[top].node, path[top - 1].node.type
    if parent in _NO_TEXTS or b"{" not in _raw(tree, text):
        return None
    return text


def _parts(node: Node) -> Iterator[Node]:
    """The strings of a text that may be put together of several."""
    waiting = [node]
    for _ in range(_MOST):
        if not waiting:
            return
        one = waiting.pop()
        if one.type == "string":
            yield one
        elif one.type in _TEXTS or one.type in {"list", "tuple"}:
            waiting.extend(reversed(one.named_children))
        elif one.type == "call":
            function = one.child_by_field_name("function")
            value = function.child_by_field_name("object") if function is not None else None
            if value is not None:
                waiting.append(value)


def _sink(tree: PythonTree, offset: int, found: dict[int, Node]) -> tuple[Sink | None, list[Node]]:
    path = tree.path(offset)
    name, way = tree.name_at(path)
    name = name.replace("cupyx.", "cupy.", 1)
    if len(way) < 2 or way[-2].node.type != "call" or name not in SINKS:  # noqa: PLR2004
        return None, []
    given = list(_given(way[-2].node, SINKS[name]))
    strings: list[Node] = []
    read, cuda = bool(given), not any(word in _NOT_CUDA for word in SINKS[name])
    for parameter, value in given:
        parts = list(_resolved(tree, value))
        cuda = cuda or parameter == "cuda_sources"
        if parameter not in _NOT_CUDA or any(KERNEL_WORDS.search(_raw(tree, p)) for p in parts):
            strings.extend(parts)
            read = read and bool(parts)
    known = [node for node in strings if _CODE.search(tree.text(node)) or node.start_byte in found]
    return Sink(name, way, read and bool(known or not strings), cuda), known


def _raw(tree: PythonTree, node: Node) -> bytes:
    return tree.data[node.start_byte : node.end_byte]


def _given(call: Node, parameters: Iterable[str]) -> Iterator[tuple[str, Node]]:
    """The arguments of a call that are source text, each with its parameter."""
    placed, named = arguments_of(call)
    for at, parameter in enumerate(parameters):
        if parameter in named:
            yield parameter, named[parameter]
        elif parameter and at < len(placed) and placed[at].type != "list_splat":
            yield parameter, placed[at]


def _resolved(tree: PythonTree, value: Node) -> Iterator[Node]:
    """The strings that an argument is made of: its own, and those of names assigned in the file."""
    waiting, seen = [value], set[str]()
    for _ in range(_PLACES):
        if not waiting:
            return
        node = waiting.pop()
        if node.type == "identifier":
            name = tree.text(node)
            if name not in seen:
                seen.add(name)
                waiting.extend(tree.assigned(name))
            continue
        yield from _parts(node)
        waiting.extend(_names_in(node))


def _names_in(node: Node) -> Iterator[Node]:
    """The names that a text is put together with."""
    waiting = [node]
    for _ in range(_PLACES):
        if not waiting:
            return
        one = waiting.pop()
        if one.type == "identifier":
            yield one
        elif one.type in _TEXTS or one.type in {"list", "tuple"}:
            waiting.extend(one.named_children)
        elif one.type == "call":
            function = one.child_by_field_name("function")
            value = function.child_by_field_name("object") if function is not None else None
            if value is not None:
                waiting.append(value)


def lay_bare(tree: PythonTree, strings: Iterable[Node]) -> str:
    """The file with everything blanked but the code of some strings, each at its place."""
    pieces: list[str] = []
    last = 0
    for node in strings:
        if node.start_byte < last:
            continue
        pieces.append(_blank(_decoded(tree.data[last : node.start_byte])))
        pieces.append(_code_of(tree, node))
        last = node.end_byte
    pieces.append(_blank(_decoded(tree.data[last:])))
    return "".join(pieces)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _code_of(tree: PythonTree, node: Node) -> str:
    """The CUDA code of one string, as long as the string with its quotes."""
    start = node.children[0] if node.children else None
    prefix = tree.text(start).lower().rstrip("\"'") if start is not None else ""
    made = []
    for part in node.children:
        text = _decoded(tree.data[part.start_byte : part.end_byte])
        if part.type == "string_content":
            made.append(_plain(text, raw="r" in prefix, braces="f" in prefix))
        elif part.type == "interpolation":
            made.append(_hole(text))
        else:
            made.append(_blank(text))
    # Between its parts a string has no bytes; what the grammar leaves out would move the rest.
    code = "".join(made)
    if "f" not in prefix and _is_formatted(tree, node):
        code = _WORD_HOLE.sub(lambda hole: _hole(hole[0]), _braces(code))
    if "%%" in code and _is_percent(tree, node):
        code = code.replace("%%", " %")
    return _FORMATTED.sub(lambda hole: _hole(hole[0]), code)


def _is_formatted(tree: PythonTree, node: Node) -> bool:
    """Whether ``str.format`` is called on a text, here or by the name that it is given."""
    top = node
    while top.parent is not None and top.parent.type in _TEXTS:
        top = top.parent
    parent = top.parent
    if parent is None:
        return False
    if parent.type == "attribute":
        return tree.text(parent).endswith(".format")
    name = parent.child_by_field_name("left") if parent.type == "assignment" else None
    return name is not None and (tree.text(name) + ".format(").encode() in tree.data


def _is_percent(tree: PythonTree, node: Node) -> bool:
    """Whether a text is put together by ``%``, here or by the name that it is given."""
    top = node
    while top.parent is not None and top.parent.type == "concatenated_string":
        top = top.parent
    parent = top.parent
    if parent is None:
        return False
    if parent.type == "binary_operator":
        operator = parent.child_by_field_name("operator")
        return operator is not None and operator.type == "%"
    name = parent.child_by_field_name("left") if parent.type == "assignment" else None
    return name is not None and (tree.text(name) + " % ").encode() in tree.data


def _braces(text: str) -> str:
    return text.replace("{{", " {").replace("}}", "} ")


def _hole(text: str) -> str:
    """A word of the length of what stands for a value, so that code around it stays code."""
    return re.sub(r"[^\w\n]", "_", re.sub(r"^\W", "_", text))


_ESCAPE = re.compile(r"\\(?:\r?\n|.)", re.DOTALL)


def _plain(text: str, *, raw: bool, braces: bool) -> str:
    if not raw and "\\" in text:
        text = "\n".join(map(_unescaped, text.split("\n")))
    return _braces(text) if braces else text


def _unescaped(line: str) -> str:
    """A line of a string with its escapes undone, each as long as before.

    A line break that is only written as an escape ends a comment, though nothing moves.
    """
    if "\\" not in line:
        return line
    parts = re.split(r"((?<!\\)(?:\\\\)*\\n)", line)
    ended = [
        _without_comment(part) if at + 2 < len(parts) else part for at, part in enumerate(parts)
    ]
    return re.sub(r"\\(.)", _escape, "".join(ended))


def _without_comment(text: str) -> str:
    at = text.find("//")
    return text if at < 0 else text[:at] + " " * (len(text) - at)


def _escape(match: re.Match[str]) -> str:
    return f" {match[1]}" if match[1] in "\\\"'" else "  "
