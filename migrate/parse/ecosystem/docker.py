"""Dockerfiles and shell commands: images, packages, variables and tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.packages import image_signals, install_signals, is_rocm_image
from migrate.parse.ecosystem.words import (
    architectures_of_list,
    command_signals,
    environment_named,
    rocm_word_in,
)

_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)\s+(.*)", re.DOTALL)
_FROM = re.compile(r"(?:--platform=\S+\s+)?(\S+)(?:\s+[aA][sS]\s+(\S+))?")
_DEFAULT = re.compile(r"\$\{(\w+):-([^{}]*)\}|\$\{(\w+)\}|\$(\w+)")
_ASSIGNMENT = re.compile(
    r"(?<!\S)(?:export\s+|setenv\s+)?([A-Z_][A-Z0-9_]*)(?:=|\s+)(\"[^\"]*\"|'[^']*'|\S*)"
)
_EXPORT = re.compile(r"(?:^|[;&]|\s)(?:export\s+)?([A-Z_][A-Z0-9_]*)=(\"[^\"]*\"|'[^']*'|[^\s;&]*)")
_GPU_REQUEST = re.compile(
    r"--gpus[= ]\S+|--runtime[= ]nvidia|nvidia\.com/gpu\w*|--gres[= ]gpu\S*"
    r"|--gpus-per-\w+|\s--nv(?=\s)"
)
_HERE_COMMENT = re.compile(r"^\s*#(?!SBATCH|PBS|BSUB|!).*$|\s#\s.*$")
_VERSION_VARIABLES = frozenset(("CUDA_VERSION", "CUDA_VER", "CUDAVERSION", "CUDA"))
_VERSION = re.compile(r"(\d{1,2}\.\d{1,2})(?:\.\d+)?")
_CUDA_KINDS = frozenset((Kind.CUDA_VERSION, Kind.SYSTEM_PACKAGE, Kind.CUDA_ARCH, Kind.LINK))


def read_docker(text: str) -> Iterator[Signal]:
    """Yield what a Dockerfile says; it counts as a published image where it brings CUDA in."""
    found = list(_instructions_signals(text))
    yield from found
    cuda = next((one.line for one in found if _is_cuda(one)), 0)
    if cuda:
        yield Signal(Kind.PACKAGE, "image", cuda)


def script_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the commands of a shell or batch script without comments, each with its first line."""
    for line, content in logical_lines(text):
        yield line, _HERE_COMMENT.sub("", content)


def shell_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield what one command says: packages, tools, variables, requests for GPUs."""
    yield from install_signals(text, line)
    yield from command_signals(text, line)
    for match in _EXPORT.finditer(text):
        yield from variable_signals(match[1], match[2].strip("\"'"), line)
    for match in _GPU_REQUEST.finditer(text):
        yield Signal(Kind.GPU_REQUEST, match[0].strip(), line)


def variable_signals(name: str, value: str, line: int) -> Iterator[Signal]:
    """Yield what setting a variable says."""
    if name == "TORCH_CUDA_ARCH_LIST" or re.fullmatch(
        r"(?:CMAKE_)?CUDA_ARCH(?:S|ITECTURES|_LIST)?", name
    ):
        for arch in architectures_of_list(value):
            yield Signal(Kind.CUDA_ARCH, arch, line)
    elif name in _VERSION_VARIABLES:
        version = _VERSION.fullmatch(value)
        if version is not None:
            yield Signal(Kind.CUDA_VERSION, version[1], line)
    elif environment_named(name):
        yield Signal(Kind.ENVIRONMENT, name, line)


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines joined over backslashes, with the number of the first."""
    start, parts = 1, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        if parts and re.match(r"\s*#", line):
            continue  # a comment between continued lines
        if not parts:
            start = number
        if line.rstrip().endswith("\\"):
            parts.append(line.rstrip()[:-1])
        else:
            yield start, " ".join((*parts, line))
            parts = []
    if parts:
        yield start, " ".join(parts)


def _instructions_signals(text: str) -> Iterator[Signal]:
    arguments: dict[str, str] = {}
    stages: set[str] = set()
    for line, content in logical_lines(text):
        match = _INSTRUCTION.match(content)
        if match is None or content.lstrip().startswith("#"):
            continue
        word, rest = match[1].upper(), match[2].strip()
        if word == "FROM":
            yield from _base(rest, line, arguments, stages)
        elif word in {"ARG", "ENV"}:
            for assigned in _ASSIGNMENT.finditer(rest):
                name, value = assigned[1], assigned[2].strip("\"'")
                if word == "ARG" and value:
                    arguments[name] = value
                yield from variable_signals(name, value, line)
        elif word in {"RUN", "CMD", "ENTRYPOINT"}:
            yield from shell_signals(rest, line)
            if rocm := rocm_word_in(rest):
                yield Signal(Kind.HIP, rocm, line)


def _base(rest: str, line: int, arguments: dict[str, str], stages: set[str]) -> Iterator[Signal]:
    match = _FROM.match(rest)
    if match is None:
        return
    image = _DEFAULT.sub(
        lambda one: arguments.get(one[1] or one[3] or one[4], one[2] or one[0]), match[1]
    )
    if match[2]:
        stages.add(match[2].lower())
    if image.lower() in stages or image == "scratch":
        return
    yield from image_signals(image, line)
    if is_rocm_image(image):
        yield Signal(Kind.HIP, image, line)


def _is_cuda(signal: Signal) -> bool:
    if signal.kind is Kind.IMAGE:
        return re.search(r"nvidia|cuda|nvcr\.io", signal.value) is not None
    return signal.kind in _CUDA_KINDS
