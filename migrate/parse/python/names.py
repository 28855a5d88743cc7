"""What Python code asks of CUDA: names in full, tests for NVIDIA's GPUs, libraries it opens.

A word that may matter is looked up in the syntax tree, so that strings, comments and other
modules' names of that spelling say nothing. A file without such a word is not parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from migrate.knowledge.components import library_named
from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.python.cuda_text import KERNEL_WORDS, SINK_WORDS, find_cuda
from migrate.parse.python.guards import is_hip_file, state_at
from migrate.parse.python.tree import MOST_NAMES, Path, PythonTree, arguments_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST = 2000
_MOST_TEXTS = 5
_PARSED_BY = re.compile(
    r"(?:^|\.)(?:[Pp]arse\w*|\w*Version|float|int|tuple|split|match|search|fullmatch|startswith"
    r"|replace)$"
)
_OPENERS = frozenset(
    {
        *("ctypes.CDLL", "ctypes.WinDLL", "ctypes.PyDLL", "ctypes.cdll.LoadLibrary"),
        *("ctypes.windll.LoadLibrary", "ctypes.util.find_library", "ctypes.windll.nvcuda"),
    }
)
_LIBRARY_FILE = re.compile(
    r"^(?:.*[/\\])?(?:lib)?([A-Za-z][\w+-]*?)(?:64)?(?:_[\d_]+)?(?:\.(?:so|dll|dylib)[\d.]*)?$"
)
_DRIVERS = {"nvcuda": "cuda", "cuda": "cuda"}
_SM = "sm_"
_BEHIND = 4000
_ASKED = frozenset(
    {
        "torch.cuda.get_device_capability",
        "torch.cuda.get_device_properties",
        "torch.cuda.get_arch_list",
    }
)
_WHOLE_NAMES = re.compile(
    r"torch\.backends\.cudnn\.version|torch\.backends\.cuda\.(?:enable_cudnn_sdp|cudnn_sdp_enabled)"
    r"|torch\.nn\.attention\.SDPBackend\.CUDNN_ATTENTION|torch\.utils\.cpp_extension\.CUDA_HOME"
    r"|torch\.cuda\.memory\.CUDAPluggableAllocator|torch\.cuda\.CUDAPluggableAllocator"
    r"|torch\._scaled_mm|torch\.float8_e4m3fn|torch\.cuda\.get_gencode_flags"
    r"|triton\.language\.inline_asm_elementwise|triton\.language\.(?:extra\.cuda|math\.libdevice)\b.*"
    r"|triton\.language\.extra\.cuda|triton\.experimental\.gluon\.language\.nvidia\b.*"
    r"|triton\.language\.(?:cuda|libdevice)\b.*|triton\.backends\.nvidia\b.*"
    r"|cupy\.cuda\.(?:cutensor|cub|cudnn|nvtx|texture|jitify)\b.*|cupyx\.cutensor\b.*"
    r"|cupyx\.scipy\.sparse\b.*|cupy\.linalg\.eigv?alsh|cupy\.linalg\.eigh|cupy\.roots"
    r"|cupyx\.scipy\.interpolate\.make_interp_spline"
    r"|numba\.cuda\.(?:shfl\w*sync|ballot_sync|match_\w+_sync|vote_sync|all_sync|any_sync|eq_sync"
    r"|uni_sync|syncwarp|warpsize|laneid|activemask|lanemask_lt|cg\.this_grid)"
)
_NAMES: tuple[tuple[bytes, tuple[bytes, ...]], ...] = (
    (
        rb"\b(?:version\.cuda|get_device_(?:capability|properties)|get_arch_list|get_gencode_flags)\b",
        (b"version.cuda", b"get_device_", b"get_arch_list", b"get_gencode"),
    ),
    (rb"\b(?:_scaled_mm|float8_e4m3fn)\b", (b"_scaled_mm",)),
    (rb"\b(?:cudnn|CUDNN_ATTENTION|enable_cudnn_sdp)\b", (b"cudnn", b"CUDNN_ATT")),
    (
        rb"\b(?:CUDA_HOME|CUDAPluggableAllocator|TORCH_CUDA_ARCH_LIST)\b",
        (b"CUDA_HOME", b"CUDAPluggable", b"TORCH_CUDA_ARCH"),
    ),
    (
        rb"\b(?:inline_asm_elementwise|libdevice|gluon|extra\.cuda|backends\.nvidia)\b",
        (b"inline_asm_elem", b"libdevice", b"gluon", b"extra.cuda", b"backends.nvidia"),
    ),
    (rb"\b(?:cutensor|texture|sparse|eigh|eigvalsh|roots|make_interp_spline)\b", (b"cupy",)),
    (
        rb"\b(?:(?:shfl|ballot|vote|all|any|match)\w*_sync|syncwarp|activemask|lanemask_lt)\b",
        (b"numba",),
    ),
)
"""Patterns of names, each with words of which one stands in every file that has such a name."""
_OPEN = re.compile(rb"\b(?:CDLL|WinDLL|PyDLL|LoadLibrary|find_library|dlopen)\s*\(")
_GPU_NAME = re.compile(
    rb"[\"'](?:NVIDIA[ -]|Tesla[ -]|GeForce[ -])?((?:A10G?|A30|A40|A100|A800|H20|H100|H200|H800"
    rb"|B100|B200|GB200|GH200|L4|L40S?|V100|P100|T4|RTX|GTX|Tesla|GeForce|Quadro|NVIDIA)\b"
    rb"[^\"'\n]{0,30})[\"']\s+(?:not\s+)?in\b"
)
_OF_A_GPU = re.compile(r"name|gpu|device|card|model|prop|torch\.cuda", re.IGNORECASE)
_PROVIDER = re.compile(rb"[\"']((?:CUDA|Tensorrt|NvTensorRTRTX)ExecutionProvider)[\"']")
_WARPS = re.compile(rb"\bnum_warps\s*=\s*(\d+)\b")
_TOOL = re.compile(rb"[\"'](nvidia-smi|nvcc|nsys|ncu|nvprof|cuobjdump|nvdisasm|ptxas)(?=[ \"'])")
_RUN = re.compile(
    r"^(?:subprocess\.\w+|os\.(?:system|popen)|shutil\.which)$|\bexec_command$|\brun_cmd$"
)


def read_names(path: str, text: str) -> Iterator[Signal]:
    """Yield what the code of a Python file asks of CUDA.

    What runs on ROCm alone, or has a way of its own there, is left out.
    """
    if is_hip_file(path):
        return
    data = text.encode("utf-8", "replace")
    asked = [one for one in _FINDERS if one.is_met_in(data)]
    cuda = any(word in data for word in _CUDA_WORDS) and _CUDA.search(data) is not None
    if asked or cuda:
        reader = _Reader(PythonTree(data))
        yield from reader.names(asked)
        if cuda:
            yield from reader.cuda()


_CUDA_WORDS = (
    *(b"__global__", b"__device__", b"SourceModule", b"load_inline", b"_compile_kernel"),
    *(b"nvrtc", b"Program", b"RawKernel", b"RawModule"),
)
_CUDA = re.compile(b"|".join((KERNEL_WORDS.pattern, SINK_WORDS.pattern)))
_Finder = Callable[["_Reader", "re.Match[bytes]"], Iterator[tuple[Kind, str, Path]]]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A pattern with what it finds, asked where one of its words stands.

    To look for plain words is far quicker than a pattern of many.
    """

    pattern: re.Pattern[bytes]
    words: tuple[bytes, ...]
    find: _Finder

    def is_met_in(self, data: bytes) -> bool:
        """Whether a file has a place to look at."""
        return any(word in data for word in self.words) and self.pattern.search(data) is not None


class _Reader:
    """Looks words up in one file's tree."""

    def __init__(self, tree: PythonTree) -> None:
        self.tree = tree
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", tree.data))]
        self._texts: dict[str, list[Node]] = {}

    def names(self, asked: Iterable[_Asked]) -> Iterator[Signal]:
        """What the patterns find."""
        for one in asked:
            for match in islice(one.pattern.finditer(self.tree.data), _MOST):
                for kind, value, path in one.find(self, match):
                    yield from self._placed(kind, value, path)

    def cuda(self) -> Iterator[Signal]:
        """The CUDA code in the file's strings, and what compiles it."""
        found = find_cuda(self.tree)
        for node in found.strings:
            yield from self._placed(Kind.CUDA_TEXT, "string", self.tree.path(node.start_byte))
        for sink in found.sinks:
            kind = Kind.RUNTIME_SOURCE if sink.read else Kind.UNREAD_SOURCE
            if sink.cuda:
                yield from self._placed(kind, sink.name, sink.path)

    def _placed(self, kind: Kind, value: str, path: Path) -> Iterator[Signal]:
        state = state_at(self.tree, path)
        hidden = state is not State.ACTIVE and kind is not Kind.CUDA_TEXT
        if not path or state is State.HIP or hidden:
            return
        offset = path[-1].node.start_byte
        line = bisect_right(self._starts, offset)
        before = self.tree.data[self._starts[line - 1] : offset]
        yield Signal(kind, value, line, state, len(before.decode("utf-8", "replace")) + 1)

    def call_around(self, path: Path) -> tuple[Node | None, str]:
        """The innermost call that a place is an argument of, and what it calls."""
        for at in range(len(path) - 1, 0, -1):
            if path[at].node.type == "argument_list" and path[at - 1].node.type == "call":
                call = path[at - 1].node
                return call, self.tree.full_name(call.child_by_field_name("function"))
        return None, ""

    def texts_for(self, name: str) -> list[Node]:
        """The strings that a name is given, the first of them."""
        if name not in self._texts:
            if len(self._texts) == MOST_NAMES:
                return []
            self._texts[name] = list(self._strings_given(name))
        return self._texts[name]

    def _strings_given(self, name: str) -> Iterator[Node]:
        word = re.escape(name.encode())
        form = re.compile(rb"(?<![\w.])" + word + rb"\s*(?:=|in)\s*[(\[]?\s*[\"']")
        for match in islice(form.finditer(self.tree.data), _MOST_TEXTS):
            for step in self.tree.path(match.end() - 1):
                if step.node.type == "string":
                    yield step.node


def _named(reader: _Reader, match: re.Match[bytes]) -> Iterator[tuple[Kind, str, Path]]:
    path = reader.tree.path(match.end() - 1)
    if match[0] == b"TORCH_CUDA_ARCH_LIST":
        if any(step.node.type == "assignment" and _is_left(step.node, match) for step in path):
            yield Kind.PYTHON_NAME, "TORCH_CUDA_ARCH_LIST", path
    elif any(step.node.type.startswith("import") for step in path):
        yield from _imported(reader, path)
    else:
        yield from _asked(reader, *_longest_name(reader, path))


def _longest_name(reader: _Reader, path: Path) -> tuple[str, Path]:
    """The full name at a place, with the members asked of it as far as they matter."""
    name, way = reader.tree.name_at(path)
    while len(way) > 1 and way[-2].node.type == "attribute" and way[-1].field == "object":
        longer = reader.tree.full_name(way[-2].node)
        if _WHOLE_NAMES.fullmatch(longer) is None and _WHOLE_NAMES.fullmatch(name) is not None:
            break
        name, way = longer, way[:-1]
    return name, way


def _asked(reader: _Reader, name: str, way: Path) -> Iterator[tuple[Kind, str, Path]]:
    if name.startswith("torch.version.cuda"):
        if _is_parsed(reader, name, way):
            yield Kind.PYTHON_NAME, "torch.version.cuda", way
    elif name in _ASKED or name.rpartition(".")[0] in _ASKED:
        asked = _decides(reader, name, way)
        if asked:
            yield Kind.CAPABILITY, asked, way
    elif _WHOLE_NAMES.fullmatch(name) is not None and not _is_beside_the_point(name, way):
        yield Kind.PYTHON_NAME, name, way


def _is_beside_the_point(name: str, way: Path) -> bool:
    """Whether a name is only assigned to, or a type of numbers only compared with."""
    if way[-1].field == "left" and way[-2].node.type == "assignment":
        return True
    return "float8" in name and any(step.node.type == "comparison_operator" for step in way)


def _is_left(assignment: Node, match: re.Match[bytes]) -> bool:
    left = assignment.child_by_field_name("left")
    return left is not None and left.start_byte <= match.start() < left.end_byte


def _imported(reader: _Reader, path: Path) -> Iterator[tuple[Kind, str, Path]]:
    """What an import of NVIDIA's part of a package brings in, unless another was tried before."""
    if any(step.node.type == "except_clause" for step in path):
        return
    for step in path:
        if step.node.type in {"import_statement", "import_from_statement"}:
            way = path[: path.index(step) + 1]
            for _, name in reader.tree.imported(step.node):
                if name.startswith("triton.") and _WHOLE_NAMES.fullmatch(name):
                    yield Kind.PYTHON_NAME, name, way


def _is_parsed(reader: _Reader, name: str, way: Path) -> bool:
    """Whether code takes a version apart, which None does not let it."""
    if name != "torch.version.cuda":
        return True
    parent = way[-2].node if len(way) > 1 else None
    if parent is None:
        return False
    if parent.type == "subscript":
        return way[-1].field == "value"
    if parent.type == "comparison_operator":
        operators = reader.tree.text(parent)
        return re.search(r"[<>]|\bin\b|[=!]=\s*[\"']", operators) is not None
    if parent.type == "argument_list" and len(way) > 2:  # noqa: PLR2004 - call, arguments, value
        function = way[-3].node.child_by_field_name("function")
        return function is not None and _PARSED_BY.search(reader.tree.text(function)) is not None
    return False


def _decides(reader: _Reader, name: str, way: Path) -> str:
    """What code decides by what a GPU says of itself: what is asked, ``sm_`` in a text, or "".

    It is compared in place or by a name for it, returned for others to compare, or put in a text
    that names an architecture.
    """
    for at in range(len(way) - 1, 0, -1):
        node = way[at].node
        if node.type == "comparison_operator":
            return name if _tells(reader, name, way, at) else ""
        if node.type == "interpolation":
            return _SM if _is_arch(reader, way[at - 1].node) else ""
        if node.type == "assignment":
            left = node.child_by_field_name("left")
            return _compared(reader, name, left, node.end_byte) if left is not None else ""
        if node.type == "return_statement":
            return name if "get_device_properties" not in name else ""
        if node.type.endswith(("_statement", "definition")) or node.type == "block":
            break
    return ""


def _tells(reader: _Reader, name: str, way: Path, at: int) -> bool:
    """Whether a comparison is about the architecture, not about memory or the number of units."""
    if "get_device_properties" not in name:
        return True
    text = reader.tree.text(way[at].node)
    return re.search(r"\.(?:major|minor)\b", text) is not None


def _is_arch(reader: _Reader, string: Node) -> bool:
    return re.search(r"(?:sm|compute)_", reader.tree.text(string)) is not None


def _compared(reader: _Reader, name: str, left: Node, end: int) -> str:
    """What :func:`_decides` says of a value that is given a name: how that is used behind it."""
    words = re.findall(r"[A-Za-z_]\w*", reader.tree.text(left))[-4:]
    if not words:
        return ""
    word = "|".join(map(re.escape, words)).encode()
    after = reader.tree.data[end : end + _BEHIND]
    member = rb"\.(?:major|minor)" if "get_device_properties" in name else rb"(?:\[\d\])?"
    value = rb"(?<![\w.])(?:self\.)?(?:" + word + rb")" + member
    if re.search(value + rb"\s*(?:[<>]=?|[=!]=|\*\s*10\b|(?:not\s+)?in\b)", after):
        return name
    return _SM if re.search(rb"(?:sm|compute)_\{(?:" + word + rb")" + member, after) else ""


def _opened(reader: _Reader, match: re.Match[bytes]) -> Iterator[tuple[Kind, str, Path]]:
    path = reader.tree.path(match.start())
    name, way = reader.tree.name_at(path)
    if len(way) < 2 or way[-2].node.type != "call":  # noqa: PLR2004 - a call and what it calls
        return
    if name not in _OPENERS and not name.endswith(".dlopen"):
        return
    placed, _ = arguments_of(way[-2].node)
    for one in _strings_of(reader, placed[:1]):
        library = _opened_library(reader.tree.text(one).strip("\"'rfbRFB"))
        if library and state_at(reader.tree, reader.tree.path(one.start_byte)) is State.ACTIVE:
            yield Kind.OPENED, library, way
            yield Kind.LINK, library, way
            return


def _strings_of(reader: _Reader, values: list[Node]) -> Iterator[Node]:
    """The strings of an argument: itself, in what it is made of, or assigned to its name."""
    for value in values:
        if value.type == "identifier":
            yield from reader.texts_for(reader.tree.text(value))
        elif value.type == "string":
            yield value
        else:
            yield from (one for one in value.named_children if one.type == "string")


def _opened_library(text: str) -> str:
    found = _LIBRARY_FILE.match(text)
    if found is None:
        return ""
    return _DRIVERS.get(found[1].lower()) or library_named(found[1])


def _gpu_name(reader: _Reader, match: re.Match[bytes]) -> Iterator[tuple[Kind, str, Path]]:
    path = reader.tree.path(match.start())
    asked = next(
        (one.node for one in reversed(path) if one.node.type == "comparison_operator"), None
    )
    if asked is not None and _OF_A_GPU.search(reader.tree.text(asked.named_children[-1])):
        yield Kind.GPU_NAME, match[1].decode("utf-8", "replace").strip(), path


def _provider(reader: _Reader, match: re.Match[bytes]) -> Iterator[tuple[Kind, str, Path]]:
    path = reader.tree.path(match.start())
    if path and path[-1].node.type.startswith("string"):
        yield Kind.PROVIDER, match[1].decode(), path


def _warps(reader: _Reader, match: re.Match[bytes]) -> Iterator[tuple[Kind, str, Path]]:
    """The warps of a launch; of the configurations to choose from, Triton drops what fails."""
    path = reader.tree.path(match.start(1))
    called = reader.call_around(path)[1]
    if any(step.node.type == "keyword_argument" for step in path) and called != "triton.Config":
        yield Kind.WARPS, match[1].decode(), path


def _tool(reader: _Reader, match: re.Match[bytes]) -> Iterator[tuple[Kind, str, Path]]:
    path = reader.tree.path(match.start())
    if _RUN.search(reader.call_around(path)[1]):
        yield Kind.TOOL, match[1].decode(), path


_GPUS = (
    *(b"A10", b"A30", b"A40", b"A800", b"H20", b"H100", b"H800", b"B100", b"B200", b"L4", b"V100"),
    *(b"P100", b"T4", b"RTX", b"GTX", b"Tesla", b"GeForce", b"Quadro", b"NVIDIA"),
)
_FINDERS: tuple[_Asked, ...] = (
    *(_Asked(re.compile(form), words, _named) for form, words in _NAMES),
    _Asked(_OPEN, (b"CDLL", b"WinDLL", b"PyDLL", b"LoadLibrary", b"find_lib", b"dlopen"), _opened),
    _Asked(_GPU_NAME, _GPUS, _gpu_name),
    _Asked(_PROVIDER, (b"ExecutionProvider",), _provider),
    _Asked(_WARPS, (b"num_warps",), _warps),
    _Asked(_TOOL, (b"nv", b"nsys", b"ncu", b"cuobjdump", b"ptxas"), _tool),
)
