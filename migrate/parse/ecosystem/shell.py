"""Shell commands and variables: packages, tools, GPUs, and which vendor a branch is for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.jobs import job_signals, mpi_variable
from migrate.parse.ecosystem.packages import install_signals, system_signals
from migrate.parse.ecosystem.words import (
    architectures_of_list,
    command_signals,
    environment_named,
)

_EXPORT = re.compile(
    r"(?:^|[;&|(]|\s)([A-Za-z_][A-Za-z0-9_]*)=(\"[^\"]*\"|'[^']*'|[^\s;&]*)"
    r"|(?:^|[;&]|\s)(?:setenv|-genv)\s+([A-Za-z_][A-Za-z0-9_]*)\s+(\"[^\"]*\"|'[^']*'|[^\s;&]+)"
)
_CONTAINER = re.compile(r"(?<![\w-])(?:docker|podman|nerdctl|docker-compose)(?![\w-])")
_CONTAINER_VARIABLE = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z0-9_]*_)?(?:DOCKER|PODMAN)(?:_[A-Z0-9_]+)?[\"']?\s*[+:]?[=:]",
    re.IGNORECASE,
)
"""A variable with a container's options: ``DOCKER_RUN_ARGS=``."""
_GPU_OPTION = re.compile(
    r"--gpus[= ](?:\"[^\"]*\"|'[^']*'|\S+)|--runtime[= ][\"']?nvidia\b"
    r"|--device[= ]nvidia\.com/gpu=\S+"
    r"|--generic-resource[= ]\S*gpu\S*"
)
_APPTAINER = re.compile(r"(?<![\w-])(?:singularity|apptainer)\b[^;&|]*?\s(--nv(?:ccli)?)(?=\s)")
_CLUSTER = re.compile(r"(?<!--device=)(?<!--device )\bnvidia\.com/(?:gpu(?![\w./-])|mig-[\w.]+)")
_OPERATOR = re.compile(
    r"\bnvidia/gpu-operator\b|helm\.ngc\.nvidia\.com/nvidia\b|\bnvidia-device-plugin\b"
    r"|\bNVIDIA/k8s-device-plugin\b|nvidia\.github\.io/(?:k8s-device-plugin|gpu-operator)\b"
    r"|\bnvdp/[\w-]+|container-engine-accelerators/\S*nvidia\S*"
)
_INSTALLER = re.compile(
    r"\bcuda-keyring(?![a-z])|\bcuda_\d+(?:\.\d+)+\S*?_linux\w*\.run\b|\bcuda_\d+(?:\.\d+)+\S*?_win\w+\.exe\b"
    r"|developer\.download\.nvidia\.com/compute/(?:cuda|cudnn|machine-learning)\b"
    r"|\bcudnn-(?:linux|windows)-\S+?\.(?:tar\.xz|zip)\b|\bnvidia\.github\.io/libnvidia-container\b"
)
_PACKAGE_LIST = re.compile(r"PKG|PACKAGE|DEPEND|DEPS|APT", re.IGNORECASE)
"""A variable with a list of the system's packages."""
_SAID = re.compile(r"(?:^|(?<=[;&]))\s*(?:echo|printf|#)\s[^;&|]*")
_HERE_COMMENT = re.compile(r"^\s*#(?!SBATCH|PBS|BSUB|FLUX|!).*$|\s#\s.*$")
_VERSION_VARIABLES = frozenset(("CUDA_VERSION", "CUDA_VER", "CUDAVERSION", "CUDA"))
_VERSION = re.compile(r"(\d{1,2}\.\d{1,2})(?:\.\d+)?")
_TOOLKIT_VARIABLES = frozenset(
    ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CUDACXX")
)
_PATH_VARIABLES = frozenset(("LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "PATH"))
_TOOLKIT = re.compile(r"/cuda(?:-\d+(?:\.\d+)?)?(?=[/:\"']|$)|\$\{?CUDA_(?:HOME|PATH|ROOT)\b")


def script_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the commands of a shell or batch script without comments, each with its first line."""
    for line, content in logical_lines(text):
        yield line, _HERE_COMMENT.sub("", content)


def shell_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield what one command says: packages, tools, variables, requests for GPUs."""
    text = _SAID.sub(" ", text)
    yield from install_signals(text, line)
    yield from command_signals(text, line)
    yield from job_signals(text, line)
    for match in _EXPORT.finditer(text):
        value = match[2] if match[1] else match[4]
        yield from variable_signals(match[1] or match[3], value.strip("\"'"), line)
        if _PACKAGE_LIST.search(match[1] or ""):
            yield from system_signals(value, line)
    if _CONTAINER.search(text) or _CONTAINER_VARIABLE.search(text):
        for match in _GPU_OPTION.finditer(text):
            yield Signal(Kind.GPU_REQUEST, match[0], line)
    for match in _APPTAINER.finditer(text):
        yield Signal(Kind.GPU_REQUEST, match[1], line)
    for kind, pattern in (
        (Kind.CLUSTER_GPU, _CLUSTER),
        (Kind.OPERATOR, _OPERATOR),
        (Kind.INSTALLER, _INSTALLER),
    ):
        for match in pattern.finditer(text):
            yield Signal(kind, match[0], line)


def variable_signals(name: str, value: str, line: int) -> Iterator[Signal]:
    """Yield what setting a variable says."""
    if name == "TORCH_CUDA_ARCH_LIST" or re.fullmatch(
        r"(?:CMAKE_)?CUDA_ARCH(?:S|ITECTURES|_LIST)?", name
    ):
        for arch in architectures_of_list(value):
            yield Signal(Kind.CUDA_ARCH, arch, line)
        if name == "TORCH_CUDA_ARCH_LIST":
            yield Signal(Kind.CUDA_VARIABLE, name, line)
    elif name in _VERSION_VARIABLES:
        version = _VERSION.fullmatch(value)
        if version is not None:
            yield Signal(Kind.CUDA_VERSION, version[1], line)
    elif name in _TOOLKIT_VARIABLES or (name in _PATH_VARIABLES and _TOOLKIT.search(value)):
        yield Signal(Kind.TOOLKIT_PATH, name, line)
    elif environment_named(name):
        yield Signal(Kind.ENVIRONMENT, name, line)
    if mpi := mpi_variable(name, value):
        yield Signal(Kind.MPI_GPU, mpi, line)


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
