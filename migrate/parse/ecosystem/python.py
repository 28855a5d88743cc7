"""Python files: what is imported, and what a setup script builds; parsed, never run."""

from __future__ import annotations

import ast
import json
import re
import textwrap
import warnings
from bisect import bisect_left
from collections.abc import Iterator

from migrate.knowledge.components import library_named, module_named
from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.command_lines import nvcc_signals
from migrate.parse.ecosystem.packages import NVIDIA_IMAGE
from migrate.parse.ecosystem.python_nvcc import nvcc_build_signals
from migrate.parse.ecosystem.shell import shell_signals
from migrate.parse.ecosystem.test_runners import session_signals
from migrate.parse.ecosystem.words import (
    architectures_in,
    architectures_of_list,
    cuda_switch_in,
    environment_named,
    link_signals,
)
from migrate.parse.python.names import read_names
from migrate.parse.python.notebook import is_cuda_cell, parted, read_cells

_IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?:import[ \t]+([\w., \t]+)"
    r"|from[ \t]+([\w.]+)[ \t]+import\b[ \t(]*([\w, \t]*))",
    re.MULTILINE,
)
_TEXT_OR_COMMENT = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'(?:[^'\\\n]|\\.)*'?",
    re.DOTALL,
)
_ENVIRONMENT = re.compile(
    r"(?:environ(?:\.\w+)?\s*[\[(]|getenv\s*\()\s*[\"']([A-Z][A-Z0-9_]+)[\"']"
)
_JIT_MODULE = "torch.utils.cpp_extension"
_JIT_CALLS = frozenset(f"{_JIT_MODULE}.{name}" for name in ("load", "load_inline"))
_JIT_CUDA = frozenset(("cuda_sources", "extra_cuda_cflags", "with_cuda"))
_CUDA_SOURCE = re.compile(r"\.cuh?\b")
_TORCH_HIP = re.compile(
    r"\btorch\.version\.hip\b|\bfrom[ \t]+torch\.version[ \t]+import\b[^\n]*\bhip\b"
    r"|\bgetattr\(\s*torch\.version\s*,"
)
_SETUP_FILES = frozenset(("setup.py", "setup_cuda.py", "setup_utils.py", "build.py"))
_LARGEST_BUILD = 1_000_000
_TEST_MODULES = frozenset(("pytest", "unittest"))
_HIP_NAMES = frozenset(
    (
        "ROCM_HOME",
        "ROCM_PATH",
        "HIP_HOME",
        "HIP_HOME_PATH",
        "IS_HIP_EXTENSION",
        "USE_ROCM",
        "USE_HIP",
        "IS_ROCM",
    )
)
_HIP_TEXT = re.compile(
    r"-D?(?:USE_ROCM|USE_HIP|__HIP_PLATFORM_AMD__)|\bhipcc\b|\bROCM_(?:HOME|PATH)\b|--offload-arch"
)
_SWITCH = re.compile(r"CUDA|NVCC|is_available", re.IGNORECASE)

_Place = tuple[int, int]
"""A line and a column."""


class UnreadableError(ValueError):
    """The file is not what its name says; the text says why."""


def read_python(path: str, text: str) -> Iterator[Signal]:
    """Yield what a Python file imports and what it builds, at set-up or at run time.

    An extension that PyTorch compiles at run time (``load``, ``load_inline`` of its
    ``cpp_extension``) is the build system ``torch-jit``.

    Raises:
        UnreadableError: a setup script, or a file with such a build, that is not Python 3.
    """
    code = _without_texts(text)
    yield from _imports(code)
    yield from read_names(path, text)
    if "nvcr.io/" in text or "nvidia/cuda:" in text:
        yield from _images(text)
    if "torch" in code and "version" in code:
        yield from _torch_hip(code, text)
    first: dict[str, int] = {}
    for match in _ENVIRONMENT.finditer(text):
        if environment_named(match[1]):
            first.setdefault(match[1], match.start())
    for name, start in first.items():
        yield Signal(Kind.ENVIRONMENT, name, _line_at(text, start))
    if path.rpartition("/")[2] == "noxfile.py":
        yield from session_signals(_parse(text))
    setup = path.rpartition("/")[2] in _SETUP_FILES or "CUDAExtension(" in text
    jit = "cpp_extension" in code and re.search(r"\bload(?:_inline)?\b", code) is not None
    if not setup and not jit:
        return
    tree = _parse(text)
    if jit:
        yield from _jit_builds(tree)
    if setup:
        yield from _setup(tree, text)
    yield from nvcc_build_signals(tree)


def read_notebook(path: str, text: str) -> Iterator[Signal]:
    """Yield what the code cells of a notebook say, at the line of the notebook file.

    Raises:
        UnreadableError: it is not a notebook's JSON.
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableError("not a notebook: its JSON is broken") from None
    cells = read_cells(text)
    yield from _imports(_without_texts(cells.python))
    yield from read_names(path, cells.python)
    for line in cells.magics:
        yield Signal(Kind.CUDA_TEXT, "cell", line)
    for command, line in cells.commands:
        yield from shell_signals(command, line)
        yield from nvcc_signals(line, command)
    yield from _notebook_builds(cells.python)
    for code, line in cells.folded:
        for signal in _folded(path, code):
            yield Signal(signal.kind, signal.value, line, signal.state)


def _notebook_builds(code: str) -> Iterator[Signal]:
    """Yield the extensions that a notebook has PyTorch compile, where its code can be parsed."""
    if "cpp_extension" in code:
        try:
            tree = _parse(textwrap.dedent(code))
        except UnreadableError:
            return
        yield from _jit_builds(tree)


def _folded(path: str, cell: str) -> Iterator[Signal]:
    """Yield what a cell says that is one line of the file; all of it stands on that."""
    if is_cuda_cell(cell):
        yield Signal(Kind.CUDA_TEXT, "cell", 1)
        return
    code, commands = parted(cell)
    for command in commands:
        yield from shell_signals(command, 1)
        yield from nvcc_signals(1, command)
    yield from _imports(_without_texts(code))
    yield from (one for one in read_names(path, code) if one.kind is not Kind.CUDA_TEXT)
    yield from _notebook_builds(code)


def _without_texts(code: str) -> str:
    """Blank strings and comments, so that only code is left; lines stay where they are."""

    def blank(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n")

    return _TEXT_OR_COMMENT.sub(blank, code)


def _images(text: str) -> Iterator[Signal]:
    """Yield NVIDIA's images in strings: what the file starts, or writes into a Dockerfile."""
    for one in _TEXT_OR_COMMENT.finditer(text):
        if not one[0].startswith("#"):
            for match in NVIDIA_IMAGE.finditer(one[0]):
                image = match[0].rstrip(".-:{$")
                yield Signal(Kind.IMAGE, image, _line_at(text, one.start() + match.start()))


def _line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _parse(text: str) -> ast.Module:
    if len(text) > _LARGEST_BUILD:
        raise UnreadableError("too large for a script that builds")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise UnreadableError(f"not Python 3 (line {error.lineno or 1})") from None
    except (ValueError, RecursionError, MemoryError):
        raise UnreadableError("not Python 3, or nested too deeply") from None


def _imports(code: str) -> Iterator[Signal]:
    """Yield the modules that code without its strings imports, each at its first place."""
    seen: set[str] = set()
    for match in _IMPORT.finditer(code):
        if match[1] is not None:
            names = [name.split()[0] for name in match[1].split(",") if name.strip()]
        else:
            names = [match[2], *(f"{match[2]}.{name.strip()}" for name in match[3].split(","))]
        for name in names:
            framework = name if name in _TEST_MODULES else ""
            module = framework or module_named(name)
            if module and module not in seen:
                seen.add(module)
                kind = Kind.TEST_FRAMEWORK if framework else Kind.IMPORT
                yield Signal(kind, module, _line_at(code, match.start()))


def _torch_hip(code: str, text: str) -> Iterator[Signal]:
    """Yield the first place that asks whether PyTorch was built for HIP."""
    lines = text.splitlines()
    for match in _TORCH_HIP.finditer(code):
        line = _line_at(code, match.end())
        if "hip" in match[0] or (
            line <= len(lines) and re.search(r"[\"']hip[\"']", lines[line - 1])
        ):
            yield Signal(Kind.HIP, "torch.version.hip", line)
            return


def _jit_builds(tree: ast.Module) -> Iterator[Signal]:
    """Yield the extensions that PyTorch compiles at run time, each at its call."""
    names = _imported_names(tree)
    texts = any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _CUDA_SOURCE.search(node.value)
        for node in ast.walk(tree)
    )
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _dotted(node.func, names) not in _JIT_CALLS:
            continue
        yield Signal(Kind.BUILD, "torch-jit", node.lineno)
        if texts or not _JIT_CUDA.isdisjoint(keyword.arg or "" for keyword in node.keywords):
            yield Signal(Kind.BUILD_CUDA, "torch-jit", node.lineno)


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Return what the names that the file imports stand for, in full."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    """Return the full name that an expression such as ``cpp_extension.load`` stands for."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join((names.get(node.id, node.id), *reversed(parts)))


def _setup(tree: ast.Module, text: str) -> Iterator[Signal]:
    names = {
        node.id if isinstance(node, ast.Name) else node.attr: node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    yield Signal(Kind.BUILD, "setup.py", 1)
    extensions = _places_of(tree, "Extension")
    cuda = "CUDAExtension" in names or re.search(r"\bnvcc\b|\.cu\b|CMAKE_CUDA", text) is not None
    if cuda:
        line = names.get("CUDAExtension") or _line_of(text, r"\bnvcc\b|\.cu\b|CMAKE_CUDA")
        yield Signal(Kind.BUILD_CUDA, "setup.py", line)
        if "setup" in names:
            yield Signal(Kind.PACKAGE, "python", names["setup"])
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            yield from _switch(node, extensions)
        elif isinstance(node, ast.Name) and node.id in _HIP_NAMES:
            yield Signal(Kind.HIP, node.id, node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _text(node.value, node.lineno)
        elif isinstance(node, ast.Call) and _dotted(node.func, {}).endswith("setup"):
            yield from _name(node)
        elif isinstance(node, ast.keyword) and node.arg == "libraries":
            yield from _libraries(node.value)
        elif isinstance(node, ast.Assign) and "TORCH_CUDA_ARCH_LIST" in _words(node.targets[0]):
            yield from _arch_list(node)


def _name(setup: ast.Call) -> Iterator[Signal]:
    """Yield what the project is called."""
    for keyword in setup.keywords:
        value = keyword.value
        if keyword.arg == "name" and isinstance(value, ast.Constant):
            yield Signal(Kind.PROJECT, str(value.value), value.lineno)


def _switch(node: ast.If | ast.IfExp, extensions: list[_Place]) -> Iterator[Signal]:
    """Yield the word that decides whether CUDA sources are built."""
    at = bisect_left(extensions, (node.lineno, node.col_offset))
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    if at == len(extensions) or extensions[at] >= end:
        return
    test = _words(node.test)
    if _SWITCH.search(test):
        yield Signal(
            Kind.CUDA_OPTIONAL, cuda_switch_in(test) or "torch.cuda.is_available", node.lineno
        )


def _places_of(tree: ast.Module, word: str) -> list[_Place]:
    """Return where names and texts with a word begin, in order."""
    return sorted(
        (node.lineno, node.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg)
        and any(word in one for one in _said_by(node))
    )


def _words(node: ast.expr) -> str:
    """Return the names and texts of an expression, in order; no recursion, however deep it is."""
    said = [
        (one.end_lineno or 0, one.end_col_offset or 0, word)
        for one in ast.walk(node)
        if isinstance(one, ast.expr)
        for word in _said_by(one)
    ]
    return " ".join(word for _, _, word in sorted(said))


def _said_by(node: ast.AST) -> Iterator[str]:
    """Yield the names and texts that stand in a node itself."""
    return (value for _, value in ast.iter_fields(node) if isinstance(value, str))


def _text(value: str, line: int) -> Iterator[Signal]:
    for arch in dict.fromkeys(architectures_in(value)):
        yield Signal(Kind.CUDA_ARCH, arch, line)
    yield from link_signals(value, line)
    if _HIP_TEXT.search(value):
        yield Signal(Kind.HIP, value.strip().splitlines()[0][:60], line)


def _libraries(value: ast.expr) -> Iterator[Signal]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            library = library_named(node.value)
            if library:
                yield Signal(Kind.LINK, library, node.lineno)


def _arch_list(node: ast.Assign) -> Iterator[Signal]:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        for arch in architectures_of_list(node.value.value):
            yield Signal(Kind.CUDA_ARCH, arch, node.lineno)


def _line_of(text: str, pattern: str) -> int:
    match = re.search(pattern, text)
    return text.count("\n", 0, match.start()) + 1 if match else 1
